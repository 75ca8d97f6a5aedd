package dev.outbox.kafka;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for questions to the broker, which may block. Repeated questions have threads of their own: topics that stay
 * missing keep no new one waiting.
 */
final class ProbeThreads implements AutoCloseable {

    private static final int THREADS = 8;
    private static final Duration IDLE_THREAD = Duration.ofSeconds(10);
    private static final IntervalFunction PAUSE =
            IntervalFunction.ofExponentialRandomBackoff(Duration.ofMillis(500), 2, 0.2, Duration.ofSeconds(10));

    private final ScheduledThreadPoolExecutor first = threads();
    private final ScheduledThreadPoolExecutor repeated = threads();

    /** Asks at once. The question handles its own failure. */
    void ask(Runnable question) {
        if (!first.isShutdown()) {
            first.execute(question);
        }
    }

    /**
     * Asks after a pause of 0.5 s to 10 s.
     *
     * @param failures so many in a row, at least 1, make the pause
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the question handles its own failure
    void askLater(Runnable question, int failures) {
        if (!repeated.isShutdown()) {
            repeated.schedule(question, PAUSE.apply(Math.max(1, failures)), TimeUnit.MILLISECONDS);
        }
    }

    boolean isClosed() {
        return first.isShutdown();
    }

    @Override
    public void close() {
        first.shutdownNow();
        repeated.shutdownNow();
    }

    private static ScheduledThreadPoolExecutor threads() {
        ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(THREADS, task -> {
            Thread thread = new Thread(task, "outbox-probe");
            thread.setDaemon(true);
            return thread;
        });
        threads.setKeepAliveTime(IDLE_THREAD.toSeconds(), TimeUnit.SECONDS);
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }
}
