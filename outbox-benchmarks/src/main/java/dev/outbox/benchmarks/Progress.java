package dev.outbox.benchmarks;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** How many records of a round are left. Any thread. */
final class Progress {

    private static final Duration LIMIT = Duration.ofMinutes(15);

    private final AtomicLong left;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final CountDownLatch over = new CountDownLatch(1);

    Progress(long records) {
        this.left = new AtomicLong(records);
    }

    /** So many more are written down as published. */
    void published(int records) {
        if (left.addAndGet(-records) <= 0) {
            over.countDown();
        }
    }

    /** The round can't succeed any more. */
    void failed(Throwable cause) {
        failure.compareAndSet(null, cause);
        over.countDown();
    }

    boolean isOver() {
        return over.getCount() == 0;
    }

    /**
     * Waits until none are left.
     *
     * @throws IllegalStateException if the round failed, or takes more than 15 minutes
     */
    void await() throws InterruptedException {
        boolean ended = over.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        Throwable cause = failure.get();
        if (!ended || cause != null) {
            throw new IllegalStateException(
                    "A round %s with %d records left".formatted(ended ? "failed" : "took " + LIMIT, left.get()), cause);
        }
    }
}
