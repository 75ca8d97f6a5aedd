package dev.outbox;

import java.util.List;

/** Where the writer puts records. */
public interface EventStore {

    /**
     * Stores the records in their order, in the transaction of the calling thread.
     *
     * @throws dev.outbox.postgresql.TransactionRequiredException if there is none that it could join
     */
    void append(List<OutboxRecord> records);
}
