package dev.outbox.autoconfigure;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.postgresql.SchemaMode;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.util.ClassUtils;

/** What the outbox asks of the application's pool, if that is HikariCP. Of others it knows nothing. */
final class HikariPool {

    private static final String SIZE = "spring.datasource.hikari.maximum-pool-size";
    private static final int DEFAULT_SIZE = 10;
    private static final int SIZE_FOR_MIGRATIONS = 2;

    private HikariPool() {}

    /**
     * Refuses a pool in which migrations would wait for a connection that they hold themselves.
     *
     * @param prefix of the properties of the schema
     */
    static void requireForMigrations(String prefix, DataSource dataSource, SchemaMode mode) {
        int size = size(dataSource);
        if (mode == SchemaMode.MIGRATE && size < SIZE_FOR_MIGRATIONS) {
            throw new InvalidOutboxPropertyException(
                    prefix,
                    new IllegalArgumentException("mode: migrate takes " + SIZE_FOR_MIGRATIONS
                            + " connections at once, but " + SIZE + " is " + size
                            + "; enlarge the pool, or run the scripts and set " + prefix + ".mode=validate"));
        }
    }

    /** Refuses a pool in which every connection holds lanes, so that nothing can ever be marked. */
    static void requireForLocks(DataSource dataSource, int workers) {
        int size = size(dataSource);
        if (size <= workers) {
            throw new InvalidOutboxPropertyException(
                    "outbox.relay",
                    new IllegalArgumentException("outbox.relay.workers=" + workers
                            + " hold a connection each while they publish, and one more marks what is published, but "
                            + SIZE + " is " + size + "; make it at least " + (workers + 1)
                            + " beyond what the application itself uses, or set outbox.relay.claim=lease"));
        }
    }

    /**
     * Lets a pool open without a connection if none could be had yet. Otherwise it logs a stack trace for each try to get
     * one. It then waits for the database as long as in any later outage (connection-timeout).
     */
    static void openWithoutConnection(DataSource dataSource) {
        HikariDataSource pool = unwrap(dataSource);
        if (pool == null || pool.isRunning()) {
            return;
        }
        try {
            pool.setInitializationFailTimeout(-1);
        } catch (IllegalStateException e) {
            // It has opened meanwhile.
        }
    }

    private static int size(DataSource dataSource) {
        HikariDataSource pool = unwrap(dataSource);
        if (pool == null) {
            return Integer.MAX_VALUE;
        }
        return pool.getMaximumPoolSize() > 0 ? pool.getMaximumPoolSize() : DEFAULT_SIZE;
    }

    private static @Nullable HikariDataSource unwrap(DataSource dataSource) {
        if (!ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", HikariPool.class.getClassLoader())) {
            return null;
        }
        return DataSourceUnwrapper.unwrap(dataSource, HikariConfigMXBean.class, HikariDataSource.class);
    }
}
