package dev.outbox.relay;

import dev.outbox.OutboxListener;
import dev.outbox.PurgeStore;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Removes old records, on a thread of its own and whatever the relay does: a round at the start and then after each
 * period.
 *
 * <p>It survives every failure of the database: it logs, waits up to 30 s and goes on. A stop waits for the transaction
 * that is under way, for 5 s at most.
 */
public final class Purge implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(Purge.class);

    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);
    private static final IntervalFunction FAILURE_PAUSE =
            IntervalFunction.ofExponentialRandomBackoff(Duration.ofSeconds(1), 2, 0.5, Duration.ofSeconds(30));

    private final PurgeStore store;
    private final Duration period;
    private final OutboxListener listener;
    private final ThreadFactory threads;
    private @Nullable Rounds running;

    /**
     * @param period from the end of one round to the beginning of the next
     * @param listener told how many records are gone
     * @param threads makes the thread, which should be a daemon
     */
    public Purge(PurgeStore store, Duration period, OutboxListener listener, ThreadFactory threads) {
        this.store = store;
        this.period = period;
        this.listener = listener;
        this.threads = threads;
    }

    /** Makes daemon threads of the platform, named {@code outbox-purge}. */
    public static ThreadFactory platformThreads() {
        return task -> {
            Thread thread = new Thread(task, "outbox-purge");
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public synchronized void start() {
        if (running == null) {
            Rounds rounds = new Rounds();
            rounds.thread = threads.newThread(rounds);
            running = rounds;
            rounds.thread.start();
        }
    }

    @Override
    public synchronized void stop() {
        Rounds stopping = running;
        running = null;
        if (stopping != null && stopping.thread != null) {
            stopping.end(stopping.thread);
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return running != null;
    }

    @Override
    public int getPhase() {
        return Relay.PHASE;
    }

    /** What the thread does. */
    private final class Rounds implements Runnable {

        private final Waiter waiter = new Waiter();
        private @Nullable Thread thread;
        private volatile boolean stopped;
        private int failures;

        @Override
        public void run() {
            try {
                store.restart();
                while (!stopped) {
                    waiter.await(roundOrPause());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Returns how long to wait. Whatever a round throws, the purge goes on. */
        private Duration roundOrPause() {
            try {
                round();
                failures = 0;
                return period;
            } catch (RuntimeException | Error e) {
                failures++;
                return pauseAfter(e);
            }
        }

        private void round() {
            PurgeStore.Step step;
            do {
                step = store.step();
                if (step.removed() > 0) {
                    listener.purged(step.removed());
                }
            } while (!step.last() && !stopped);
        }

        private Duration pauseAfter(Throwable e) {
            Duration pause = Duration.ofMillis(FAILURE_PAUSE.apply(failures));
            if (failures == 1) {
                log.warn("The purge failed; it goes on in {} ms", pause.toMillis(), e);
            } else {
                log.warn(
                        "The purge failed {} times in a row; it goes on in {} ms: {}",
                        failures,
                        pause.toMillis(),
                        e.toString());
            }
            return pause;
        }

        private void end(Thread waitedFor) {
            stopped = true;
            waiter.wake();
            try {
                waitedFor.join(STOP_LIMIT.toMillis());
                if (waitedFor.isAlive()) {
                    log.warn("The purge has not ended within {}; the database ends what it does", STOP_LIMIT);
                    waitedFor.interrupt();
                }
            } catch (InterruptedException e) {
                waitedFor.interrupt();
                Thread.currentThread().interrupt();
            }
        }
    }
}
