package dev.outbox.inbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.PurgeSettings;
import dev.outbox.postgresql.TableNames;
import dev.outbox.testkit.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InboxPurgeIT {

    private static final TableNames TABLES = InboxSettings.defaults().tables();
    private static final PurgeSettings SETTINGS = new PurgeSettings(Duration.ofDays(8), Duration.ofMillis(100), 1_000);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final InboxDatabase database =
            InboxDatabase.withoutAutoCommit(PostgresServer.shared().createDatabase());
    private final InboxPurge purge = new InboxPurge(database.pool(), TABLES, SETTINGS);

    @AfterEach
    void close() {
        purge.stop();
        database.close();
    }

    @Test
    void whatIsOlderThanTheRetentionIsForgottenInBatchesAndTheRestIsKept() {
        insert(2_500, "8 days 1 hour");
        insert(10, "7 days 23 hours");

        assertThat(purge.purgeNow()).isEqualTo(2_500);

        assertThat(database.processed()).isEqualTo(10);
        assertThat(database.count(
                        "SELECT count(*) FROM inbox_processed WHERE processed_at < now() - interval '8 days'"))
                .isZero();
        assertThat(purge.purgeNow()).isZero();
    }

    @Test
    void eachBatchIsATransactionOfItsOwn() {
        database.execute("CREATE TABLE batch (transaction xid8)");
        database.execute("CREATE FUNCTION remember() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " INSERT INTO batch VALUES (pg_current_xact_id()); RETURN OLD; END $$");
        database.execute("CREATE TRIGGER remember BEFORE DELETE ON inbox_processed"
                + " FOR EACH ROW EXECUTE FUNCTION remember()");
        insert(2_500, "9 days");

        purge.purgeNow();

        assertThat(database.count("SELECT count(DISTINCT transaction) FROM batch"))
                .isEqualTo(3);
    }

    @Test
    void rowsThatAnotherPurgeHasLockedAreSkippedNotWaitedFor() throws SQLException {
        insert(50, "9 days");
        try (Connection other = database.server().dataSource().getConnection()) {
            other.setAutoCommit(false);
            other.createStatement().execute("SELECT * FROM inbox_processed ORDER BY processed_at LIMIT 20 FOR UPDATE");

            assertThat(purge.purgeNow()).isEqualTo(30);
            other.rollback();
        }
        assertThat(purge.purgeNow()).isEqualTo(20);
    }

    @Test
    void theThreadSurvivesAFailingDatabaseAndGoesOn() {
        insert(10, "9 days");
        database.execute("ALTER TABLE inbox_processed RENAME TO hidden");
        purge.start();
        await().atMost(LIMIT)
                .until(() -> database.count(
                                "SELECT xact_rollback FROM pg_stat_database" + " WHERE datname = current_database()")
                        >= 2);

        database.execute("ALTER TABLE hidden RENAME TO inbox_processed");

        await().atMost(LIMIT).until(() -> database.processed() == 0);
        assertThat(purge.isRunning()).isTrue();
        purge.stop();
        assertThat(purge.isRunning()).isFalse();
    }

    private void insert(int rows, String age) {
        database.execute("INSERT INTO inbox_processed (consumer, event_id, processed_at) SELECT 'billing',"
                + " gen_random_uuid(), clock_timestamp() - interval '" + age + "' FROM generate_series(1, " + rows
                + ")");
    }
}
