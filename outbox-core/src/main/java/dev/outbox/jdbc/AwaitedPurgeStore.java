package dev.outbox.jdbc;

import dev.outbox.PurgeStore;
import dev.outbox.postgresql.SchemaPreparation;

/** A store in which there is nothing to purge until its tables are ready, so that a purge may start before them. */
public final class AwaitedPurgeStore implements PurgeStore {

    private final PurgeStore store;
    private final SchemaPreparation schema;

    public AwaitedPurgeStore(PurgeStore store, SchemaPreparation schema) {
        this.store = store;
        this.schema = schema;
    }

    @Override
    public Step step() {
        return schema.isReady() ? store.step() : new Step(0, true);
    }

    @Override
    public void restart() {
        store.restart();
    }
}
