package dev.outbox.benchmarks;

import dev.outbox.testkit.TestDatabase;
import java.time.Duration;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A database with the outbox's tables, between rounds. */
final class OutboxDatabase {

    private static final String EMPTY = """
            TRUNCATE outbox_event, outbox_delivery, outbox_lane_request, outbox_audit;
            UPDATE outbox_lane SET floor = 0;
            """;

    private static final String LEFT =
            "SELECT count(*) FROM outbox_delivery WHERE published_at IS NULL AND NOT waiting AND parked_at IS NULL";

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final TestDatabase database;
    private final JdbcClient jdbc;

    OutboxDatabase(TestDatabase database) {
        this.database = database;
        this.jdbc = JdbcClient.create(database.dataSource());
    }

    /** Connections without a pool. */
    DataSource dataSource() {
        return database.dataSource();
    }

    /**
     * @param application the name under which its sessions stand in the server's log
     */
    String url(String application) {
        return database.jdbcUrl() + "?ApplicationName=" + application;
    }

    String user() {
        return database.user();
    }

    JdbcClient jdbc() {
        return jdbc;
    }

    String setting(String name) {
        return jdbc.sql("SELECT current_setting(?)")
                .param(name)
                .query(String.class)
                .single();
    }

    /** Removes everything; nobody may be publishing. */
    void empty() {
        jdbc.sql(EMPTY).update();
    }

    /** Makes the tables what they are after a while without load, and nothing is left to write for the server. */
    void settle() {
        jdbc.sql("VACUUM (ANALYZE) outbox_event").update();
        jdbc.sql("VACUUM (ANALYZE) outbox_delivery").update();
        jdbc.sql("VACUUM outbox_lane").update();
        jdbc.sql("CHECKPOINT").update();
    }

    /** Checks that nothing is left to publish; the marks of the last batch may come a moment after the last record. */
    void requireDrained() {
        Awaitility.await("everything is marked")
                .atMost(LIMIT)
                .until(() -> jdbc.sql(LEFT).query(Long.class).single() == 0);
    }
}
