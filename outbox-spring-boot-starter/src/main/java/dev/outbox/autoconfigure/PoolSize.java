package dev.outbox.autoconfigure;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.postgresql.SchemaMode;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.util.ClassUtils;

/** Whether the pool has a connection for everything that must hold one at the same time. Only HikariCP tells. */
final class PoolSize {

    private static final String PROPERTY = "spring.datasource.hikari.maximum-pool-size";
    private static final boolean HIKARI =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", PoolSize.class.getClassLoader());
    private static final int HIKARI_DEFAULT = 10;
    private static final int OF_MIGRATIONS = 2;

    private PoolSize() {}

    /**
     * Refuses a pool in which migrations would wait for a connection that they hold themselves.
     *
     * @param prefix of the properties of the schema
     */
    static void requireForMigrations(String prefix, DataSource dataSource, SchemaMode mode) {
        int size = of(dataSource);
        if (mode == SchemaMode.MIGRATE && size < OF_MIGRATIONS) {
            throw new InvalidOutboxPropertyException(
                    prefix,
                    new IllegalArgumentException("mode: migrate takes " + OF_MIGRATIONS + " connections at once, but "
                            + PROPERTY + " is " + size + "; enlarge the pool, or run the scripts and set " + prefix
                            + ".mode=validate"));
        }
    }

    /** Refuses a pool in which every connection holds lanes, so that nothing can ever be marked. */
    static void requireForLocks(DataSource dataSource, int workers) {
        int size = of(dataSource);
        if (size <= workers) {
            throw new InvalidOutboxPropertyException(
                    "outbox.relay",
                    new IllegalArgumentException("outbox.relay.workers=" + workers
                            + " hold a connection each while they publish, and one more marks what is published, but "
                            + PROPERTY + " is " + size + "; make it at least " + (workers + 1)
                            + " beyond what the application itself uses, or set outbox.relay.claim=lease"));
        }
    }

    /** Returns the most connections that the pool opens; a very large number when nobody knows. */
    private static int of(DataSource dataSource) {
        return HIKARI ? OfHikari.size(dataSource) : Integer.MAX_VALUE;
    }

    /** Loaded only where HikariCP is there. */
    private static final class OfHikari {

        private static int size(DataSource dataSource) {
            HikariDataSource pool =
                    DataSourceUnwrapper.unwrap(dataSource, HikariConfigMXBean.class, HikariDataSource.class);
            if (pool == null) {
                return Integer.MAX_VALUE;
            }
            return pool.getMaximumPoolSize() > 0 ? pool.getMaximumPoolSize() : HIKARI_DEFAULT;
        }
    }
}
