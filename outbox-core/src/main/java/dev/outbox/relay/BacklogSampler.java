package dev.outbox.relay;

import dev.outbox.Backlog;
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
public final class BacklogSampler implements SmartLifecycle, Supplier<Backlog> {

    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(BacklogSampler.class);

    private final Supplier<Backlog> source;
    private final Duration interval;
    private volatile Backlog latest = Backlog.EMPTY;
    private @Nullable ScheduledExecutorService scheduler;

    /**
     * @param source asks the database
     * @param interval from the end of one look to the next
     */
    public BacklogSampler(Supplier<Backlog> source, Duration interval) {
        this.source = source;
        this.interval = interval;
    }

    /** What the last look found; nothing before the first one. */
    @Override
    public Backlog get() {
        return latest;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it is cancelled by shutting down its scheduler
    public synchronized void start() {
        if (scheduler == null) {
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
            latest = source.get();
        } catch (RuntimeException e) {
            log.debug("The backlog can't be read now", e);
        }
    }
}
