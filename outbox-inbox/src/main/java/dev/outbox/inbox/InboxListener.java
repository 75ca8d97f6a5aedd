package dev.outbox.inbox;

import java.time.Duration;
import java.util.Collection;
import java.util.UUID;
import java.util.function.DoubleSupplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Observes the inbox.
 *
 * <p>Methods are called on the thread that consumes, so they return fast. What they throw is logged and goes no further.
 */
public interface InboxListener {

    /** The effect of an event was applied; its transaction has committed. */
    default void processed(String consumer, UUID eventId) {}

    /** An event arrived that the consumer has processed already; it was skipped. */
    default void duplicate(String consumer, UUID eventId) {}

    /** An event was taken in but not applied; the verdict says why. Not called for duplicates. */
    default void notApplied(String consumer, UUID eventId, Verdict verdict) {}

    /**
     * A delivery failed, in the handler or in the commit; the record will be retried or dead-lettered. Not called for
     * {@link Inbox#processOnce}, whose caller receives the exception.
     *
     * @param eventId null if the record has no usable id
     */
    default void failed(String consumer, @Nullable UUID eventId, RecordPosition position, Throwable cause) {}

    /**
     * A record was dead-lettered, which is durable, and is skipped now.
     *
     * @param eventId null if the record has no usable id
     */
    default void deadLettered(String consumer, @Nullable UUID eventId, RecordPosition position, Throwable cause) {}

    /**
     * The early events of a consumer were looked at, on a thread of the inbox.
     *
     * @param waiting null if the database does not tell
     */
    default void earlyEvents(String consumer, @Nullable EarlyBacklog waiting) {}

    /**
     * An event is about to be processed, dead-lettered or to stop its consumer that is older than what the inbox
     * remembers. Called for each attempt, inside the transaction.
     *
     * @param age of the record, by the database's clock
     */
    default void outsideWindow(String consumer, UUID eventId, RecordPosition position, Duration age) {}

    /**
     * A consumer stops on all its threads, until somebody starts its container again.
     *
     * @param position of the record before which it stops
     */
    default void stopped(String consumer, RecordPosition position, StopConsumerException cause) {}

    /**
     * A partition was assigned to a consumer in this process.
     *
     * @param lag age in seconds of the oldest record of the partition whose offset is not committed, 0 if all is
     *     committed, {@code NaN} while that is not known; may be asked on any thread until the partition is revoked
     */
    default void assigned(String consumer, TopicPartition partition, DoubleSupplier lag) {}

    /** A partition was taken away from a consumer in this process, or the consumer has stopped. */
    default void revoked(String consumer, TopicPartition partition) {}

    /** Returns one listener that calls each of these, also when one of them throws. */
    static InboxListener all(Collection<? extends InboxListener> listeners) {
        return new InboxListeners(listeners);
    }
}
