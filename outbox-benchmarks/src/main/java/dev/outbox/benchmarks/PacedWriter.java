package dev.outbox.benchmarks;

import dev.outbox.Event;
import dev.outbox.OutboxWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** One writer that makes a transaction at every tick, or as soon as it can when it is late. */
record PacedWriter(OutboxWriter outbox, TransactionTemplate transaction, Pace pace) {

    /**
     * When it writes, and how much.
     *
     * @param period between two transactions
     * @param transactions in all
     * @param events of one transaction
     */
    record Pace(Duration period, int transactions, int events) {}

    /**
     * Writes, and returns how many events a second it was.
     *
     * @param commits told as soon as a transaction is committed
     * @param wakeUp run after that
     */
    double write(String topic, CommitToAck commits, Runnable wakeUp) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(pace.transactions());
        CountDownLatch never = new CountDownLatch(1);
        long start = System.nanoTime();
        for (int tick = 1; tick <= pace.transactions(); tick++) {
            never.await(start + tick * pace.period().toNanos() - System.nanoTime(), TimeUnit.NANOSECONDS);
            List<Event> events = Stream.generate(() -> Orders.event(topic, random.nextInt(Orders.COUNT)))
                    .limit(pace.events())
                    .toList();
            commit(events, commits, wakeUp);
        }
        return (double) pace.transactions() * pace.events() / ((System.nanoTime() - start) / 1e9);
    }

    private void commit(List<Event> events, CommitToAck commits, Runnable wakeUp) {
        transaction.executeWithoutResult(status -> {
            List<UUID> eventIds = new ArrayList<>();
            // Before the writer's own, so the clock is read before anybody is woken.
            TransactionSynchronizationManager.registerSynchronization(
                    new AfterCommit(() -> commits.committed(eventIds)));
            eventIds.addAll(outbox.appendAll(events));
            TransactionSynchronizationManager.registerSynchronization(new AfterCommit(wakeUp));
        });
    }

    private record AfterCommit(Runnable work) implements TransactionSynchronization {

        @Override
        public void afterCommit() {
            work.run();
        }
    }
}
