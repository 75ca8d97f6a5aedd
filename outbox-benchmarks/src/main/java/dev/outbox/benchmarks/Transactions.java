package dev.outbox.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/**
 * The same transaction again and again, by several threads at once.
 *
 * @param transaction makes one for the order of that number
 */
record Transactions(int threads, IntConsumer transaction) {

    /** Goes on for so long, and returns how many were committed a second. */
    double perSecond(int millis) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            long start = System.nanoTime();
            long end = start + Duration.ofMillis(millis).toNanos();
            List<Future<Long>> counts = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                SplittableRandom random = new SplittableRandom(thread);
                counts.add(pool.submit(() -> commitUntil(end, random)));
            }
            long committed = 0;
            for (Future<Long> count : counts) {
                committed += count.get();
            }
            return committed / ((System.nanoTime() - start) / 1e9);
        } finally {
            pool.shutdownNow();
        }
    }

    private long commitUntil(long end, SplittableRandom random) {
        long committed = 0;
        while (System.nanoTime() < end) {
            transaction.accept(random.nextInt(Orders.COUNT));
            committed++;
        }
        return committed;
    }
}
