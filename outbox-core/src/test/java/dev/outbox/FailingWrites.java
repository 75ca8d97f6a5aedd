package dev.outbox;

import java.util.List;
import java.util.Set;

/** A store whose {@code record} does something first, such as failing. */
final class FailingWrites implements DeliveryStore {

    private final DeliveryStore store;
    private final Runnable beforeRecord;

    FailingWrites(DeliveryStore store, Runnable beforeRecord) {
        this.store = store;
        this.beforeRecord = beforeRecord;
    }

    @Override
    public boolean hasWork() {
        return store.hasWork();
    }

    @Override
    public void request(int lanes) {
        store.request(lanes);
    }

    @Override
    public Claim claimSet(int lanes) {
        return failing(store.claimSet(lanes));
    }

    @Override
    public Claim claim(int lanes) {
        return failing(store.claim(lanes));
    }

    private Claim failing(Claim claim) {
        return new Claim() {
            @Override
            public List<Integer> lanes() {
                return claim.lanes();
            }

            @Override
            public Set<String> pausedTopics() {
                return claim.pausedTopics();
            }

            @Override
            public void extend(int more) {
                claim.extend(more);
            }

            @Override
            public boolean isHeld() {
                return claim.isHeld();
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
    public void release(String topic) {
        store.release(topic);
    }

    @Override
    public void releaseOne(String topic) {
        store.releaseOne(topic);
    }

    @Override
    public Backlog backlog() {
        return store.backlog();
    }
}
