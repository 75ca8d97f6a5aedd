package dev.outbox.inbox;

/**
 * Where events wait for a decision that cannot be processed.
 *
 * <p>An event is owned by its dead letter: its id counts as processed from then on, so that further deliveries are
 * duplicates, and only {@link InboxOperations} decides about it. Thread-safe.
 */
public interface DeadLetters {

    /**
     * Takes an event, which is durable there when this returns: its id and its letter are written in one transaction. A
     * record without a usable id is known by its position.
     *
     * @param beforeCommit runs in that transaction after the letter was written; if it throws, nothing was written
     * @return false if the event was processed or dead-lettered before, so that nothing was done
     * @throws RuntimeException if it is not, or may not be, durable
     */
    boolean add(ConsumerName consumer, FailedEvent event, Runnable beforeCommit);

    /**
     * Takes an event whose id the inbox has recorded already, in the transaction of the calling thread. Nothing happens if
     * it has a letter that nobody has decided on.
     *
     * @throws IllegalArgumentException if the event has no id
     * @throws dev.outbox.postgresql.TransactionRequiredException if the calling thread has no transaction for it
     */
    void addRecorded(ConsumerName consumer, FailedEvent event);

    /** Returns what lets the events of an aggregate wait behind a dead letter of it. */
    Admission parkAggregate();
}
