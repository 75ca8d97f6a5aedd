package dev.outbox.postgresql;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares the tables of a module when an application starts. If the database is out of reach, the start goes on without
 * them: they are tried again on a daemon thread, with pauses from 1 s up to 30 s, until they are ready.
 *
 * <p>Thread-safe.
 */
public final class SchemaPreparation implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SchemaPreparation.class);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

    private final String module;
    private final ModuleSchema schema;
    private final DataSource dataSource;
    private final SchemaMode mode;
    private final Duration firstPause;
    private final Semaphore hurry = new Semaphore(0);
    private volatile boolean ready;
    private volatile boolean closed;
    private volatile long triedAt;
    private volatile @Nullable Throwable obstacle;
    private @Nullable Thread thread;

    /**
     * @param module the module's name, as messages have it: {@code outbox} or {@code inbox}
     * @param schema what is prepared
     * @param dataSource the module's own
     * @param mode how it is prepared
     */
    public SchemaPreparation(String module, ModuleSchema schema, DataSource dataSource, SchemaMode mode) {
        this(module, schema, dataSource, mode, FIRST_PAUSE);
    }

    SchemaPreparation(String module, ModuleSchema schema, DataSource dataSource, SchemaMode mode, Duration firstPause) {
        this.module = module;
        this.schema = schema;
        this.dataSource = dataSource;
        this.mode = mode;
        this.firstPause = firstPause;
    }

    /**
     * Prepares the tables, or begins to try while the database is out of reach. To be called once.
     *
     * @throws SchemaException if the database is there and the tables can't be prepared; the message says what to do
     */
    public synchronized void start() {
        try {
            prepare();
        } catch (RuntimeException e) {
            if (!DatabaseOutage.isCauseOf(e)) {
                throw e;
            }
            obstacle = e;
            log.warn(
                    "The {} tables could not be looked at, because the database is out of reach. The application starts"
                            + " without it and goes on trying; until it is there, nothing can be written to the {} or read"
                            + " from it: {}",
                    module,
                    module,
                    e.toString());
            thread = new Thread(this::goOn, module + "-schema");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Whether the tables are as the module needs them. Costs nothing. */
    public boolean isReady() {
        return ready;
    }

    /** Tries soon, whatever the pause: somebody has just seen the database. Costs nothing; at most one try a second. */
    public void hurry() {
        if (!ready && System.nanoTime() - triedAt >= firstPause.toNanos()) {
            hurry.release();
        }
    }

    /** Why nothing can be done with the tables, as long as they are not ready. */
    public SchemaException notReady(@Nullable Throwable cause) {
        Throwable last = obstacle;
        return new SchemaException(
                "The " + module
                        + " tables are not ready: the database was out of reach when the application started, and"
                        + " the application goes on trying to prepare them. What stood in the way at last: "
                        + (last == null ? "nothing" : last.toString()),
                cause == null ? last : cause);
    }

    /** What a failure really means: {@link #notReady} if it comes from tables that are not there yet, else itself. */
    public RuntimeException explain(RuntimeException failure) {
        return !ready && DatabaseOutage.isMissingTable(failure) ? notReady(failure) : failure;
    }

    /** Ends the trying. Waits at most 5 s for a try that is under way. */
    @Override
    public synchronized void close() {
        closed = true;
        Thread trying = thread;
        if (trying != null) {
            trying.interrupt();
            try {
                trying.join(STOP_LIMIT.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void prepare() {
        triedAt = System.nanoTime();
        try {
            schema.prepare(dataSource, mode);
            ready = true;
        } finally {
            triedAt = System.nanoTime();
        }
    }

    private void goOn() {
        try {
            for (int failures = 1; !ready && !closed; failures++) {
                Duration pause = pauseAfter(failures);
                hurry.drainPermits();
                if (!hurry.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                    log.debug("The {} tables are tried again after {}", module, pause);
                }
                tryAgain();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tryAgain() {
        try {
            prepare();
            log.info("The {} tables are ready", module);
        } catch (RuntimeException | Error e) {
            obstacle = e;
            if (closed) {
                log.debug("The last try to prepare the {} tables was ended", module, e);
            } else if (DatabaseOutage.isCauseOf(e)) {
                log.warn("The {} tables are not ready, the database is still out of reach: {}", module, e.toString());
            } else {
                log.error("The database is there, but the {} tables can't be made ready: {}", module, e.toString());
            }
        }
    }

    private Duration pauseAfter(int failures) {
        long limit = Math.min(LONGEST_PAUSE.toMillis(), firstPause.toMillis() << Math.min(failures - 1, 10));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(limit / 2, limit + 1));
    }
}
