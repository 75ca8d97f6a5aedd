package dev.outbox.jdbc;

import dev.outbox.Backlog;
import dev.outbox.BatchLimits;
import dev.outbox.DeliveryStore;
import dev.outbox.Outcome;
import dev.outbox.postgresql.SchemaPreparation;
import java.util.List;
import java.util.Set;

/** A store in which there is nothing to do until its tables are ready, so that a relay may start before them. */
public final class AwaitedDeliveryStore implements DeliveryStore {

    private final DeliveryStore store;
    private final SchemaPreparation schema;

    public AwaitedDeliveryStore(DeliveryStore store, SchemaPreparation schema) {
        this.store = store;
        this.schema = schema;
    }

    @Override
    public boolean hasWork() {
        return schema.isReady() && store.hasWork();
    }

    @Override
    public Claim claim(int lanes) {
        return schema.isReady() ? store.claim(lanes) : new Nothing();
    }

    @Override
    public Claim claimSet(int lanes) {
        return schema.isReady() ? store.claimSet(lanes) : new Nothing();
    }

    @Override
    public void request(int lanes) {
        if (schema.isReady()) {
            store.request(lanes);
        }
    }

    @Override
    public void release(String topic) {
        if (schema.isReady()) {
            store.release(topic);
        }
    }

    @Override
    public void releaseOne(String topic) {
        if (schema.isReady()) {
            store.releaseOne(topic);
        }
    }

    /**
     * Counts what is not published.
     *
     * @throws dev.outbox.postgresql.SchemaException while the tables are not ready
     */
    @Override
    public Backlog backlog() {
        if (!schema.isReady()) {
            throw schema.notReady(null);
        }
        return store.backlog();
    }

    private static final class Nothing implements Claim {

        @Override
        public List<Integer> lanes() {
            return List.of();
        }

        @Override
        public Set<String> pausedTopics() {
            return Set.of();
        }

        @Override
        public void extend(int lanes) {
            // There are none.
        }

        @Override
        public boolean isHeld() {
            return false;
        }

        @Override
        public Batch read(BatchLimits limits) {
            return new Batch(List.of(), false);
        }

        @Override
        public void record(List<Outcome> outcomes) {
            throw new IllegalStateException("nothing is held");
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
