package dev.outbox;

/**
 * Watches the outbox. Every method does nothing by default.
 *
 * <p>Called on the thread where the thing happened (an application thread after its commit, a relay thread or the purge's),
 * so it must return quickly. What it throws is logged and stops nothing.
 */
public interface OutboxListener {

    /** A transaction that appended this many events with one call has committed. */
    default void appended(int events) {}

    /** The broker has acknowledged this record and it has been marked published. */
    default void published(Delivery delivery) {}

    /** Publishing failed and will be tried again. */
    default void retried(Delivery delivery, PublishFailure failure) {}

    /** Publishing failed for good; the record waits for a decision and blocks its aggregate. */
    default void parked(Delivery delivery, PublishFailure failure) {}

    /** So many records that were older than the retention have been removed. */
    default void purged(int records) {}

    /** A pass of the relay failed as a whole; it goes on after a pause. */
    default void cycleFailed(Throwable failure) {}
}
