package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.OpenDeadLetters;
import dev.outbox.postgresql.TableNames;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the open dead letters now and then, on a daemon thread of its own, so that gauges read a number and not the
 * database. Thread-safe.
 */
public final class DeadLetterSampler {

    /** From the end of one look to the next. */
    public static final Duration INTERVAL = Duration.ofSeconds(10);

    /** By then the listeners of most applications are known, and shown at the first look. */
    private static final Duration FIRST = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterSampler.class);

    private final DeadLetterQueries queries;
    private final BooleanSupplier ready;
    private final Consumer<@Nullable List<OpenDeadLetters>> observer;
    private @Nullable ScheduledExecutorService thread;

    /**
     * @param ready whether the tables can be used; until they can, nobody looks
     * @param observer is told what was found, or null when the database doesn't answer
     */
    public DeadLetterSampler(
            DataSource dataSource,
            TableNames tables,
            BooleanSupplier ready,
            Consumer<@Nullable List<OpenDeadLetters>> observer) {
        this.queries = new DeadLetterQueries(dataSource, tables);
        this.ready = ready;
        this.observer = observer;
    }

    /** Starts to look. Nothing happens if it has started already. */
    @SuppressWarnings("FutureReturnValueIgnored") // its task throws nothing and ends with the thread
    public synchronized void start() {
        if (thread != null) {
            return;
        }
        thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread daemon = new Thread(task, "inbox-dead-letters");
            daemon.setDaemon(true);
            return daemon;
        });
        thread.scheduleWithFixedDelay(this::sample, FIRST.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Stops. Nothing happens if it has not started. */
    public synchronized void stop() {
        if (thread != null) {
            thread.shutdownNow();
            thread = null;
        }
    }

    /** A scheduled task that throws is never run again. */
    private void sample() {
        try {
            observer.accept(ready.getAsBoolean() ? queries.byConsumer() : null);
        } catch (RuntimeException | Error e) {
            LOG.debug("The dead letters can't be counted now", e);
            observer.accept(null);
        }
    }
}
