package dev.outbox;

import java.util.List;

/** A store whose {@code record} does something first, such as failing. */
final class FailingWrites implements DeliveryStore {

    private final DeliveryStore store;
    private final Runnable beforeRecord;

    FailingWrites(DeliveryStore store, Runnable beforeRecord) {
        this.store = store;
        this.beforeRecord = beforeRecord;
    }

    @Override
    public Claim claim(int lanes) {
        Claim claim = store.claim(lanes);
        return new Claim() {
            @Override
            public boolean isEmpty() {
                return claim.isEmpty();
            }

            @Override
            public Batch read(BatchLimits limits) {
                return claim.read(limits);
            }

            @Override
            public void record(List<Outcome> outcomes) {
                beforeRecord.run();
                claim.record(outcomes);
            }

            @Override
            public void close() {
                claim.close();
            }
        };
    }

    @Override
    public Backlog backlog() {
        return store.backlog();
    }
}
