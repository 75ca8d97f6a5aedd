package dev.outbox.relay;

import dev.outbox.Backlog;
import dev.outbox.BatchLimits;
import dev.outbox.Delivery;
import dev.outbox.DeliveryStore;
import dev.outbox.Outcome;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A store in memory that hands out what the test puts in, batch by batch. */
final class HandMadeStore implements DeliveryStore {

    final List<Outcome> recorded = new CopyOnWriteArrayList<>();
    final AtomicInteger claims = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();
    final AtomicInteger requests = new AtomicInteger();
    final AtomicInteger extended = new AtomicInteger();
    final List<String> released = new CopyOnWriteArrayList<>();
    final List<BatchLimits> reads = new CopyOnWriteArrayList<>();
    volatile Set<String> paused = Set.of();
    volatile boolean held = true;
    volatile Runnable beforeRecord = () -> {};
    /** What later reads of a claim find. */
    volatile Supplier<List<Delivery>> more = List::of;

    private final Supplier<List<Delivery>> batches;

    /**
     * @param batches what the next claim reads; nothing means that no lane could be claimed
     */
    HandMadeStore(Supplier<List<Delivery>> batches) {
        this.batches = batches;
    }

    @Override
    public Claim claim(int lanes) {
        claims.incrementAndGet();
        return new HandMadeClaim(batches.get());
    }

    @Override
    public Claim claimSet(int lanes) {
        return claim(lanes);
    }

    /** Every pass shall claim. */
    @Override
    public boolean hasWork() {
        return true;
    }

    @Override
    public void request(int lanes) {
        requests.incrementAndGet();
    }

    @Override
    public void release(String topic) {
        released.add(topic);
    }

    @Override
    public void releaseOne(String topic) {
        released.add("one of " + topic);
    }

    @Override
    public Backlog backlog() {
        return Backlog.EMPTY;
    }

    private final class HandMadeClaim implements Claim {

        private final List<Delivery> batch;
        private boolean read;

        private HandMadeClaim(List<Delivery> batch) {
            this.batch = List.copyOf(batch);
        }

        @Override
        public List<Integer> lanes() {
            return batch.isEmpty() ? List.of() : List.of(1);
        }

        @Override
        public Set<String> pausedTopics() {
            return paused;
        }

        @Override
        public void extend(int lanes) {
            extended.incrementAndGet();
        }

        @Override
        public boolean isHeld() {
            return held;
        }

        @Override
        public Batch read(BatchLimits limits) {
            reads.add(limits);
            List<Delivery> result = read ? more.get() : batch;
            read = true;
            return new Batch(result, false);
        }

        @Override
        public void record(List<Outcome> outcomes) {
            beforeRecord.run();
            recorded.addAll(outcomes);
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }
}
