package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.Admission;
import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.InboxUnavailableException;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.Verdict;
import org.springframework.dao.DataAccessException;

/** Admits an event whose version is newer than the last one of its aggregate. */
final class NewerVersions implements Admission {

    private final AggregateVersions versions;

    NewerVersions(AggregateVersions versions) {
        this.versions = versions;
    }

    @Override
    public Verdict admit(ConsumerName consumer, ReceivedEvent event) {
        Aggregate aggregate = Aggregate.of(consumer, event.metadata());
        long version = Aggregate.versionOf(event.metadata());
        try {
            return versions.raise(aggregate, version) ? Verdict.APPLIED : Verdict.STALE;
        } catch (DataAccessException e) {
            throw new InboxUnavailableException("The version of " + event + " could not be compared", e);
        }
    }
}
