package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.Admission;
import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.InboxUnavailableException;
import dev.outbox.inbox.PermanentEventException;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.Verdict;
import dev.outbox.inbox.VersionSettings;
import java.util.Optional;
import java.util.UUID;
import org.springframework.dao.DataAccessException;

/** Admits the next version of each aggregate, and keeps later ones until their turn comes. */
final class NextVersions implements Admission {

    private final AggregateVersions versions;
    private final EarlyEvents early;
    private final Successors successors;
    private final VersionSettings settings;
    private final long firstVersion;

    NextVersions(
            AggregateVersions versions,
            EarlyEvents early,
            Successors successors,
            VersionSettings settings,
            long firstVersion) {
        this.versions = versions;
        this.early = early;
        this.successors = successors;
        this.settings = settings;
        this.firstVersion = firstVersion;
    }

    @Override
    public Verdict admit(ConsumerName consumer, ReceivedEvent event) {
        Aggregate aggregate = Aggregate.of(consumer, event.metadata());
        long version = versionOf(event.metadata());
        try {
            return admit(aggregate, version, event);
        } catch (DataAccessException e) {
            throw new InboxUnavailableException("The version of " + event + " could not be compared", e);
        }
    }

    @Override
    public void committed(ConsumerName consumer, ReceivedEvent event, Verdict verdict) {
        // Also after an event that was not applied: it held the aggregate, so that another thread may have passed by.
        if (verdict != Verdict.DUPLICATE) {
            successors.followNow(Aggregate.of(consumer, event.metadata()));
        }
    }

    /** Has the event's version count as applied, so that later versions do not wait for it. */
    @Override
    public void discarded(ConsumerName consumer, ReceivedEvent event) {
        Aggregate aggregate;
        long version;
        try {
            aggregate = Aggregate.of(consumer, event.metadata());
            version = versionOf(event.metadata());
        } catch (PermanentEventException e) {
            // It says no version, so nothing waits for it.
            return;
        }
        versions.begin(aggregate, firstVersion - 1);
        long current = versions.lock(aggregate);
        if (version == current + 1) {
            versions.set(aggregate, version);
        } else if (version > current) {
            early.settle(aggregate, version, event.metadata().eventId());
        }
    }

    private Verdict admit(Aggregate aggregate, long version, ReceivedEvent event) {
        if (versions.advance(aggregate, version) || isFirst(aggregate, version)) {
            return Verdict.APPLIED;
        }
        long current = versions.lock(aggregate);
        if (version <= current) {
            return Verdict.STALE;
        }
        UUID eventId = event.metadata().eventId();
        Optional<UUID> kept = early.eventAt(aggregate, version);
        if (kept.isPresent()) {
            requireSame(kept.get(), eventId, aggregate, version);
            return Verdict.EARLY;
        }
        if (version == current + 1) {
            versions.set(aggregate, version);
            return Verdict.APPLIED;
        }
        requireRoom(aggregate, version, current);
        early.keep(aggregate, version, eventId, event.record());
        return Verdict.EARLY;
    }

    private boolean isFirst(Aggregate aggregate, long version) {
        long begun = version == firstVersion ? version : firstVersion - 1;
        return versions.begin(aggregate, begun) && version == begun;
    }

    private long versionOf(EventMetadata event) {
        long version = Aggregate.versionOf(event);
        if (version < firstVersion) {
            throw new PermanentEventException("The event brings version " + version
                    + " of its aggregate, but the first version that the consumer expects is " + firstVersion
                    + ". Set firstVersion of @IdempotentListener to the lowest version of its events");
        }
        return version;
    }

    private static void requireSame(UUID kept, UUID eventId, Aggregate aggregate, long version) {
        if (!kept.equals(eventId)) {
            throw new PermanentEventException("Two events bring version " + version + " of " + aggregate + ": " + kept
                    + ", which is kept until its turn comes, and this one, " + eventId);
        }
    }

    private void requireRoom(Aggregate aggregate, long version, long current) {
        String early = "Version " + version + " of " + aggregate + " came before version " + (current + 1);
        if (this.early.isFullFor(aggregate, settings.maxEarlyPerAggregate())) {
            throw new PermanentEventException(early + ", and " + settings.maxEarlyPerAggregate()
                    + " early events of that aggregate are kept already, the most that may be");
        }
        if (this.early.isFull(aggregate, settings.maxEarlyPerConsumer())) {
            throw new PermanentEventException(early + ", and " + settings.maxEarlyPerConsumer()
                    + " early events of the consumer are kept already, the most that may be");
        }
    }
}
