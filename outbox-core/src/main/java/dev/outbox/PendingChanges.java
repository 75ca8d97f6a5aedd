package dev.outbox;

/** State changes that the application holds in memory, to be written before the outbox rows of the same transaction. */
@FunctionalInterface
public interface PendingChanges {

    /** Writes them, if this thread has any; called on the application's thread right before the rows are inserted. */
    void flush();
}
