package dev.outbox.inbox.kafka;

import dev.outbox.inbox.Admission;
import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.OutsideWindow;
import dev.outbox.inbox.PermanentEventException;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.StopConsumerException;
import dev.outbox.inbox.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides about events that may have been processed and forgotten: those whose record is older than the inbox's retention.
 * A record without a timestamp counts as young.
 */
final class RetentionWindow implements Admission {

    private static final Logger LOG = LoggerFactory.getLogger(RetentionWindow.class);

    private final OutsideWindow policy;
    private final Duration retention;
    private final InstantSource here;
    private final InstantSource database;
    private final InboxListener listener;
    private final BurstLog burst = new BurstLog();

    /**
     * @param here this machine's clock, which costs nothing; it decides about records younger than half the retention
     * @param database the database's clock, by which the inbox forgets
     */
    RetentionWindow(
            OutsideWindow policy,
            Duration retention,
            InstantSource here,
            InstantSource database,
            InboxListener listener) {
        this.policy = policy;
        this.retention = retention;
        this.here = here;
        this.database = database;
        this.listener = listener;
    }

    /**
     * @throws PermanentEventException if the event is outside the window and to be dead-lettered
     * @throws StopConsumerException if the event is outside the window and its consumer is to stop
     */
    @Override
    public Verdict admit(ConsumerName consumer, ReceivedEvent event) {
        long timestamp = event.record().timestamp();
        if (timestamp < 0 || here.millis() - timestamp <= retention.toMillis() / 2) {
            return Verdict.APPLIED;
        }
        Duration age = Duration.between(Instant.ofEpochMilli(timestamp), database.instant());
        if (age.compareTo(retention) <= 0) {
            return Verdict.APPLIED;
        }
        listener.outsideWindow(
                consumer.value(), event.metadata().eventId(), event.metadata().position(), age);
        burst.add(count -> LOG.warn(
                "Consumer '{}' met {}, which is {} old while the inbox remembers {}: it may have been processed and"
                        + " forgotten. Policy {}; {} such event(s) since the last line like this",
                consumer,
                event,
                DurationText.of(age),
                DurationText.of(retention),
                policy,
                count));
        return decide(age);
    }

    /** What waits among the dead letters is known not to have been processed, however old it is. */
    @Override
    public boolean decidesOnRedrive() {
        return false;
    }

    private Verdict decide(Duration age) {
        String reason =
                "The record is " + DurationText.of(age) + " old and the inbox remembers " + DurationText.of(retention)
                        + " (outbox.inbox.purge.retention): it may have been processed and forgotten";
        return switch (policy) {
            case PROCESS -> Verdict.APPLIED;
            case DEAD_LETTER -> throw new PermanentEventException(reason);
            case STOP ->
                throw new StopConsumerException(reason + ". Find out whether the events from there on were processed."
                        + " Then move the group's offsets past those that were, or let the policy outsideWindow be"
                        + " PROCESS or DEAD_LETTER; and start the consumer again");
        };
    }
}
