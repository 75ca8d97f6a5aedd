package dev.outbox.relay;

import dev.outbox.Backlog;
import dev.outbox.BatchLimits;
import dev.outbox.Delivery;
import dev.outbox.DeliveryStore;
import dev.outbox.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A store in memory that hands out what the test puts in, batch by batch. */
final class HandMadeStore implements DeliveryStore {

    final List<Outcome> recorded = new CopyOnWriteArrayList<>();
    final AtomicInteger claims = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();
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
        return new HandMadeClaim(new ArrayList<>(batches.get()));
    }

    @Override
    public Backlog backlog() {
        return Backlog.EMPTY;
    }

    private final class HandMadeClaim implements Claim {

        private final List<Delivery> batch;

        private HandMadeClaim(List<Delivery> batch) {
            this.batch = batch;
        }

        @Override
        public boolean isEmpty() {
            return batch.isEmpty();
        }

        @Override
        public Batch read(BatchLimits limits) {
            return new Batch(List.copyOf(batch), false);
        }

        @Override
        public void record(List<Outcome> outcomes) {
            recorded.addAll(outcomes);
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }
}
