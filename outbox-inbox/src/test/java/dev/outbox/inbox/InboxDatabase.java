package dev.outbox.inbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.inbox.jdbc.InboxTables;
import dev.outbox.inbox.jdbc.TableLayout;
import dev.outbox.postgresql.SchemaMode;
import dev.outbox.testkit.TestDatabase;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A database with the inbox's tables and a table {@code effect} that takes every effect, doubles too. */
public final class InboxDatabase implements AutoCloseable {

    /** Most connections of the pool. */
    public static final int POOL_SIZE = 5;

    private final TestDatabase server;
    private final HikariDataSource pool = new HikariDataSource();
    private final JdbcClient direct;

    private InboxDatabase(TestDatabase server, boolean autoCommit) {
        this.server = server;
        this.direct = JdbcClient.create(server.dataSource());
        pool.setJdbcUrl(server.jdbcUrl());
        pool.setUsername(server.user());
        pool.setPassword(server.password());
        pool.setAutoCommit(autoCommit);
        pool.setMaximumPoolSize(POOL_SIZE);
        pool.setMinimumIdle(0);
        pool.setConnectionTimeout(300);
        pool.setInitializationFailTimeout(-1);
    }

    /** Prepares a database, reached by a pool with auto-commit on. */
    public static InboxDatabase in(TestDatabase server) {
        return prepared(new InboxDatabase(server, true), TableLayout.PLAIN);
    }

    /** Prepares a database, reached by a pool with auto-commit off. */
    public static InboxDatabase withoutAutoCommit(TestDatabase server) {
        return prepared(new InboxDatabase(server, false), TableLayout.PLAIN);
    }

    /** Prepares a database in the partitioned layout, reached by a pool with auto-commit off. */
    public static InboxDatabase partitioned(TestDatabase server) {
        return prepared(new InboxDatabase(server, false), TableLayout.PARTITIONED);
    }

    private static InboxDatabase prepared(InboxDatabase database, TableLayout layout) {
        InboxTables.of(InboxSettings.defaults().tables(), layout)
                .prepare(database.server.dataSource(), SchemaMode.MIGRATE);
        database.execute("CREATE TABLE effect (consumer text NOT NULL, event_id uuid NOT NULL)");
        return database;
    }

    /** The same database, reached by another pool. */
    public InboxDatabase again() {
        return new InboxDatabase(server, false);
    }

    public DataSource pool() {
        return pool;
    }

    public TestDatabase server() {
        return server;
    }

    /** Runs a statement on a connection of its own. */
    public void execute(String sql) {
        direct.sql(sql).update();
    }

    /** Returns how many effects are committed. */
    public long effects() {
        return count("SELECT count(*) FROM effect");
    }

    /** Returns how many effects of an event are committed. */
    public long effects(UUID eventId) {
        return count("SELECT count(*) FROM effect WHERE event_id = '" + eventId + "'");
    }

    /** Returns how many events the inbox remembers. */
    public long processed() {
        return count("SELECT count(*) FROM inbox_processed");
    }

    /** Returns how many dead letters there are, decided ones included. */
    public long deadLetters() {
        return count("SELECT count(*) FROM inbox_dead_letter");
    }

    /** Returns how many dead letters there are of an event. */
    public long deadLetters(UUID eventId) {
        return count("SELECT count(*) FROM inbox_dead_letter WHERE event_id = '" + eventId + "'");
    }

    public long count(String sql) {
        return direct.sql(sql).query(Long.class).single();
    }

    @Override
    public void close() {
        pool.close();
    }
}
