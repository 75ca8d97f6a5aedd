package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.DeadLetterSettings;
import dev.outbox.inbox.PurgeSettings;
import dev.outbox.postgresql.TableNames;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgets processed events that are older than the retention, and deletes dead letters that were decided longer ago than
 * theirs, on a daemon thread of its own. An event whose dead letter is open is not forgotten.
 *
 * <p>Several instances may purge the same table at once. A failure of the database is logged and tried again after the
 * period. Thread-safe.
 */
public final class InboxPurge {

    private static final Logger LOG = LoggerFactory.getLogger(InboxPurge.class);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

    private final LongSupplier forgetting;
    private final ExpiredDeadLetters expiredLetters;
    private final PurgeSettings settings;
    private final BooleanSupplier ready;
    private @Nullable ScheduledExecutorService thread;
    private volatile boolean failing;

    /** Purges the plain layout. */
    public InboxPurge(DataSource dataSource, TableNames tables, PurgeSettings settings) {
        this(dataSource, tables, settings, DeadLetterSettings.DEFAULT_RETENTION, () -> true);
    }

    /**
     * Purges the plain layout.
     *
     * @param deadLetterRetention time after which a dead letter that was decided is deleted, by the database's clock
     * @param ready whether the tables can be used; until they can, nothing is purged
     */
    public InboxPurge(
            DataSource dataSource,
            TableNames tables,
            PurgeSettings settings,
            Duration deadLetterRetention,
            BooleanSupplier ready) {
        this(
                settings,
                ready,
                new ExpiredEvents(dataSource, tables, InboxTables.PROCESSED, settings)::delete,
                new ExpiredDeadLetters(dataSource, tables, deadLetterRetention, settings));
    }

    private InboxPurge(
            PurgeSettings settings, BooleanSupplier ready, LongSupplier forgetting, ExpiredDeadLetters expiredLetters) {
        this.ready = ready;
        this.forgetting = forgetting;
        this.expiredLetters = expiredLetters;
        this.settings = settings;
    }

    /**
     * Returns one for the partitioned layout. It also makes the partitions, so it must run in some instance. For moments
     * it uses a second connection, and the database user must own the tables.
     *
     * @param period time in one partition: full minutes, at least 1, and at least the two hundredth part of the retention
     * @param deadLetterRetention time after which a dead letter that was decided is deleted, by the database's clock
     * @param ready whether the tables can be used; until they can, nothing is done
     * @throws IllegalArgumentException if the period is out of its range
     */
    public static InboxPurge partitioned(
            DataSource dataSource,
            TableNames tables,
            PurgeSettings settings,
            Duration period,
            Duration deadLetterRetention,
            BooleanSupplier ready) {
        return new InboxPurge(
                settings,
                ready,
                new PartitionedEvents(dataSource, tables, settings, period)::purge,
                new ExpiredDeadLetters(dataSource, tables, deadLetterRetention, settings));
    }

    /** Starts to purge, at once and then after each period. Nothing happens if it has started already. */
    @SuppressWarnings("FutureReturnValueIgnored") // its task throws nothing and ends with the thread
    public synchronized void start() {
        if (thread != null) {
            return;
        }
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread daemon = new Thread(task, "inbox-purge");
            daemon.setDaemon(true);
            return daemon;
        });
        started.scheduleWithFixedDelay(this::purgeOrLog, 0, settings.period().toMillis(), TimeUnit.MILLISECONDS);
        thread = started;
    }

    /** Stops after the transaction that is under way, within 5 seconds. Nothing happens if it has not started. */
    public synchronized void stop() {
        ScheduledExecutorService stopping = thread;
        if (stopping == null) {
            return;
        }
        thread = null;
        stopping.shutdownNow();
        try {
            if (!stopping.awaitTermination(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("The inbox purge did not end within {}; its thread ends by itself", STOP_LIMIT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it has started and not been stopped. */
    public synchronized boolean isRunning() {
        return thread != null;
    }

    /**
     * Purges once, on the calling thread, until nothing old is left or the thread is interrupted.
     *
     * @return how many events were forgotten
     */
    public long purgeNow() {
        expiredLetters.delete();
        return forgetting.getAsLong();
    }

    private void purgeOrLog() {
        if (!ready.getAsBoolean()) {
            return;
        }
        try {
            long count = purgeNow();
            failing = false;
            if (count > 0) {
                LOG.debug("Forgot {} processed events older than {}", count, settings.retention());
            }
        } catch (RuntimeException | Error e) {
            if (!failing && !Thread.currentThread().isInterrupted()) {
                LOG.warn("The inbox could not be purged; next try in {}", settings.period(), e);
            }
            failing = true;
        }
    }
}
