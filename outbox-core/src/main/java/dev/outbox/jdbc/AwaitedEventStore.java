package dev.outbox.jdbc;

import dev.outbox.EventStore;
import dev.outbox.OutboxRecord;
import dev.outbox.postgresql.SchemaPreparation;
import java.util.List;
import org.springframework.dao.DataAccessException;

/** A store that says why, when somebody appends before its tables are ready. Tables that are there are used at once. */
public final class AwaitedEventStore implements EventStore {

    private final EventStore store;
    private final SchemaPreparation schema;

    public AwaitedEventStore(EventStore store, SchemaPreparation schema) {
        this.store = store;
        this.schema = schema;
    }

    /**
     * Appends records.
     *
     * @throws dev.outbox.postgresql.SchemaException if the tables are not there yet; the message says what is going on
     */
    @Override
    public void append(List<OutboxRecord> records) {
        schema.hurry();
        try {
            store.append(records);
        } catch (DataAccessException e) {
            throw schema.explain(e);
        }
    }
}
