package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.LocalConsumer;
import dev.outbox.inbox.LocalConsumers;
import dev.outbox.inbox.PermanentEventException;
import dev.outbox.inbox.VersionSettings;
import dev.outbox.inbox.VersionTimeout;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** Applies the policy for early events that have waited too long for a missing version. */
final class VersionGaps {

    private static final Logger LOG = LoggerFactory.getLogger(VersionGaps.class);

    private final VersionSettings settings;
    private final AggregateVersions versions;
    private final EarlyEvents early;
    private final TransactionTemplate transaction;
    private final LocalConsumers consumers;
    private final EarlyOutcomes outcomes;
    private final Set<ConsumerName> warned = ConcurrentHashMap.newKeySet();

    VersionGaps(
            VersionSettings settings,
            AggregateVersions versions,
            EarlyEvents early,
            TransactionTemplate transaction,
            LocalConsumers consumers,
            EarlyOutcomes outcomes) {
        this.settings = settings;
        this.versions = versions;
        this.early = early;
        this.transaction = transaction;
        this.consumers = consumers;
        this.outcomes = outcomes;
    }

    /** Does with overdue events of some aggregates of a consumer what the policy says, and returns how many they were. */
    int close(ConsumerName consumer, List<Aggregate> overdue, Successors successors) {
        if (settings.onTimeout() == VersionTimeout.WAIT) {
            report(consumer, overdue);
            return 0;
        }
        int count = 0;
        for (Aggregate aggregate : overdue) {
            while (!Thread.currentThread().isInterrupted() && closeFirst(aggregate, successors)) {
                count++;
            }
        }
        return count;
    }

    private boolean closeFirst(Aggregate aggregate, Successors successors) {
        if (settings.onTimeout() == VersionTimeout.DEAD_LETTER) {
            return deadLetterFirst(aggregate);
        }
        boolean skipped = successors.skipGap(aggregate, settings.timeout());
        if (skipped) {
            LOG.warn(
                    "Consumer '{}' went on without versions of {} that have not come within {}",
                    aggregate.consumer(),
                    aggregate,
                    settings.timeout());
            successors.follow(aggregate);
        }
        return skipped;
    }

    private boolean deadLetterFirst(Aggregate aggregate) {
        if (!consumers.contains(aggregate.consumer())) {
            return false;
        }
        LocalConsumer local = consumers.get(aggregate.consumer());
        Optional<Late> late = Objects.requireNonNull(transaction.execute(status -> takeLate(aggregate, local)));
        late.ifPresent(moved -> outcomes.deadLettered(
                moved.event(), moved.cause(), moved.event().attempts()));
        return late.isPresent();
    }

    private Optional<Late> takeLate(Aggregate aggregate, LocalConsumer local) {
        Optional<Late> late = versions.tryLock(aggregate)
                .flatMap(version -> early.takeOverdue(aggregate, settings.timeout())
                        .map(event -> new Late(event, cause(event, version))));
        late.ifPresent(found -> outcomes.addDeadLetter(
                found.event(), found.cause(), found.event().attempts(), local));
        return late;
    }

    private PermanentEventException cause(EarlyEvent event, long current) {
        return new PermanentEventException("Version " + (current + 1) + " of " + event.aggregate()
                + " is missing since " + event.receivedAt().toInstant() + ", when version " + event.version()
                + " came, and has not come within " + settings.timeout());
    }

    private void report(ConsumerName consumer, List<Aggregate> overdue) {
        if (overdue.isEmpty()) {
            warned.remove(consumer);
        } else if (warned.add(consumer)) {
            LOG.warn(
                    "Consumer '{}' keeps early events that have waited longer than {} for a missing version, the first"
                            + " of them of {}. They wait on",
                    consumer,
                    settings.timeout(),
                    overdue.get(0));
        }
    }

    private record Late(EarlyEvent event, PermanentEventException cause) {}
}
