package dev.outbox.relay;

import dev.outbox.Backlog;
import dev.outbox.BacklogSample;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Looks at the backlog now and then, so that gauges read a number and not the database, however often they are scraped and
 * however long the database takes to answer.
 */
public final class BacklogSampler implements SmartLifecycle, Supplier<BacklogSample> {

    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(5);

    /** After so many intervals without an answer of the database its last one is not told any more. */
    private static final int BELIEVED_INTERVALS = 6;

    private static final Logger log = LoggerFactory.getLogger(BacklogSampler.class);

    private final Supplier<Backlog> source;
    private final Duration interval;
    private volatile Look latest = new Look(null, System.nanoTime());
    private @Nullable ScheduledExecutorService scheduler;

    /**
     * @param source asks the database
     * @param interval from the end of one look to the next
     */
    public BacklogSampler(Supplier<Backlog> source, Duration interval) {
        this.source = source;
        this.interval = interval;
    }

    /** What the last look found, unless it was longer ago than six intervals. Costs nothing. */
    @Override
    public BacklogSample get() {
        Look look = latest;
        Duration age = Duration.ofNanos(System.nanoTime() - look.at());
        boolean believed = age.compareTo(interval.multipliedBy(BELIEVED_INTERVALS)) <= 0;
        return new BacklogSample(believed ? look.backlog() : null, age);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it is cancelled by shutting down its scheduler
    public synchronized void start() {
        if (scheduler == null) {
            latest = new Look(null, System.nanoTime());
            scheduler = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "outbox-backlog");
                thread.setDaemon(true);
                return thread;
            });
            scheduler.scheduleWithFixedDelay(this::sample, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public synchronized void stop() {
        if (scheduler != null) {
            scheduler.shutdownNow();
            scheduler = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return scheduler != null;
    }

    @Override
    public int getPhase() {
        return Relay.PHASE;
    }

    /** A scheduled task that throws is never run again. */
    private void sample() {
        try {
            latest = new Look(source.get(), System.nanoTime());
        } catch (RuntimeException | Error e) {
            log.debug("The backlog can't be read now", e);
        }
    }

    private record Look(@Nullable Backlog backlog, long at) {}
}
