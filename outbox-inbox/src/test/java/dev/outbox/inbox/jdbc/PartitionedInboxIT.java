package dev.outbox.inbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.PurgeSettings;
import dev.outbox.postgresql.SchemaException;
import dev.outbox.postgresql.SchemaMode;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import dev.outbox.testkit.PostgresServer;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The partitioned layout with one day in a range and a retention of 8 days. */
class PartitionedInboxIT {

    private static final TableNames TABLES = InboxSettings.defaults().tables();
    private static final PurgeSettings SETTINGS = new PurgeSettings(Duration.ofDays(8), Duration.ofMinutes(1), 100);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Instant today = Instant.now().truncatedTo(ChronoUnit.DAYS);
    private final InboxDatabase database =
            InboxDatabase.partitioned(PostgresServer.shared().createDatabase());
    private final JdbcTransactionManager transactionManager = new JdbcTransactionManager(database.pool());
    private final Inbox inbox =
            new JdbcInbox(database.pool(), transactionManager, new TransactionPhase(), TABLES, List.of());
    private final JdbcClient jdbc = JdbcClient.create(database.server().dataSource());

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void rangesAreMadeAheadAndADuplicateIsFoundInEachPartitionByALookAtThatOneAlone() {
        assertThat(partitions()).containsExactly("ahead", "far");
        assertThat(round()).isZero();
        List<String> made = new ArrayList<>(List.of("ahead", "far", "old"));
        for (int day = -7; day <= 7; day++) {
            made.add(IdPartition.name(day(day)));
        }
        assertThat(partitions()).containsExactlyElementsOf(made);
        assertThat(round()).isZero();
        assertThat(partitions()).containsExactlyElementsOf(made);

        assertThat(touched(id(0))).containsExactly("inbox_processed_" + IdPartition.name(day(0)));
        assertThat(touched(UUID.fromString("f7a1c1de-3c55-4f6e-9a51-0d7c35f3f3a1")))
                .containsExactly("inbox_processed_far");
        assertThat(touched(id(-30))).containsExactly("inbox_processed_old");
        assertThat(touched(id(30))).containsExactly("inbox_processed_ahead");
        assertThat(database.processed()).isEqualTo(4);
    }

    @Test
    void aRangeIsEmptiedWhenAllOfItWasProcessedBeforeTheRetentionAndItsIdsStillFindAPlace() {
        start(-20);
        record(250, -12, "11 days");
        record(100, -11, "11 days");
        record(1, -11, "7 days");
        record(10, -10, "10 days");
        record(10, 0, "1 hour");

        assertThat(round()).isEqualTo(260);

        assertThat(partitions())
                .contains("old", IdPartition.name(day(-11)), IdPartition.name(day(-10)))
                .doesNotContain(IdPartition.name(day(-12)), IdPartition.name(day(-20)));
        assertThat(database.processed()).isEqualTo(111);
        assertThat(touched(id(-12))).containsExactly("inbox_processed_old");

        database.execute("UPDATE inbox_processed SET processed_at = processed_at - interval '2 days'");
        assertThat(round()).isEqualTo(101);
        assertThat(partitions()).doesNotContain(IdPartition.name(day(-11)), IdPartition.name(day(-10)));
        assertThat(database.processed()).isEqualTo(11);
        assertThat(round()).isZero();
    }

    @Test
    void aTransactionThatIsStillOpenKeepsItsRangeAndHoldsUpNobody() throws Exception {
        start(-20);
        record(50, -12, "11 days");
        record(50, -11, "11 days");
        try (Connection late = database.server().dataSource().getConnection()) {
            late.setAutoCommit(false);
            late.createStatement().execute("INSERT INTO inbox_processed VALUES ('late', '" + id(-12) + "')");

            assertThat(round()).isEqualTo(50);
            assertThat(inbox.processOnce("billing", id(0), () -> {})).isTrue();
            late.commit();
        }
        assertThat(round()).isZero();
        assertThat(database.count("SELECT count(*) FROM inbox_processed WHERE consumer = 'late'"))
                .isEqualTo(1);
        assertThat(rows(IdPartition.name(day(-12)))).isEqualTo(51);
    }

    /* The transaction ends while the purge waits for the lock, after it has seen that everything is old. */
    @Test
    void whatIsCommittedAtTheLastMomentIsNotLostWhateverTheIsolation() throws Exception {
        start(-20);
        record(50, -12, "11 days");
        try (Connection late = database.server().dataSource().getConnection();
                HikariDataSource repeatable = new HikariDataSource()) {
            repeatable.setJdbcUrl(database.server().jdbcUrl());
            repeatable.setUsername(database.server().user());
            repeatable.setPassword(database.server().password());
            repeatable.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
            late.setAutoCommit(false);
            late.createStatement().execute("INSERT INTO inbox_processed VALUES ('late', '" + id(-12) + "')");
            CompletableFuture<Long> round = CompletableFuture.supplyAsync(() -> round(repeatable));
            await().atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() ->
                            round.isDone() || database.count("SELECT count(*) FROM pg_locks WHERE NOT granted") > 0);
            late.commit();
            assertThat(round.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isZero();
        }
        assertThat(database.processed()).isEqualTo(51);
    }

    @Test
    void anOpenDeadLetterKeepsItsRangeWhoseOtherEventsAreDeletedRowByRow() {
        start(-20);
        record(250, -12, "11 days");
        UUID dead = id(-12);
        database.execute("INSERT INTO inbox_dead_letter (consumer, state, event_id, topic, partition, record_offset,"
                + " record_timestamp, header_names, header_values, attempts, first_failed_at, last_failed_at) VALUES"
                + " ('billing', 'dead', '" + dead + "', 'orders', 0, 0, -1, '{}', '{}', 1, now(), now())");

        assertThat(round()).isEqualTo(250);
        assertThat(partitions()).contains(IdPartition.name(day(-12)));

        database.execute("UPDATE inbox_dead_letter SET state = 'redriven', decided_at = now()");
        round();
        assertThat(partitions()).doesNotContain(IdPartition.name(day(-12)));
    }

    @Test
    void whereNobodyMadeRangesEventsAreKeptAndRangesFollowAfterwards() {
        round();
        database.execute("ALTER TABLE inbox_processed DETACH PARTITION inbox_processed_ahead");
        for (int day = 0; day <= 7; day++) {
            database.execute("DROP TABLE inbox_processed_" + IdPartition.name(day(day)));
        }
        database.execute("ALTER TABLE inbox_processed ATTACH PARTITION inbox_processed_ahead FOR VALUES "
                + IdRange.of(day(0), IdRange.FAR).bounds());
        List<UUID> ids =
                List.of(id(0), id(5), id(1_000), id(-1), UUID.fromString("02000000-0000-4000-8000-000000000000"));
        ids.forEach(id -> inbox.processOnce("billing", id, () -> {}));
        assertThat(rows("ahead")).isEqualTo(4);

        round();

        assertThat(rows(IdPartition.name(day(0)))).isEqualTo(1);
        assertThat(rows(IdPartition.name(day(5)))).isEqualTo(1);
        assertThat(rows("ahead")).isEqualTo(2);
        assertThat(ids).noneMatch(id -> inbox.processOnce("billing", id, () -> {}));
    }

    @Test
    void whatWasInterruptedIsFinishedAndWhoHasTheTableOpenIsNotHeldUp() throws Exception {
        round();
        database.execute("ALTER TABLE inbox_processed DETACH PARTITION inbox_processed_" + IdPartition.name(day(7)));
        database.execute("DROP TABLE inbox_processed_" + IdPartition.name(day(7)));
        database.execute("ALTER TABLE inbox_processed DETACH PARTITION inbox_processed_ahead");
        round();
        assertThat(partitions()).contains("ahead", IdPartition.name(day(7)));

        DataSource dataSource = database.server().dataSource();
        try (Connection open = dataSource.getConnection()) {
            open.setAutoCommit(false);
            open.createStatement().execute("SELECT FROM inbox_processed LIMIT 1");
            // Four ranges are left, of which a longer period counts less than two.
            CompletableFuture<Void> round = CompletableFuture.runAsync(
                    () -> new PartitionedEvents(database.pool(), TABLES, SETTINGS, Duration.ofDays(5)).purge());
            await().atMost(LIMIT)
                    .until(() -> database.count("SELECT count(*) FROM pg_inherits WHERE inhdetachpending") == 1);
            assertThat(inbox.processOnce("billing", id(0), () -> {})).isTrue();
            open.rollback();
            round.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        assertThat(database.count("SELECT count(*) FROM pg_inherits WHERE inhdetachpending"))
                .isZero();
        assertThat(touched(id(30))).doesNotContain("inbox_processed_ahead");
    }

    @Test
    void whatLiesBesideTheRangesIsDeletedRowByRowAndNoMoreIsRead() {
        start(-20);
        database.execute(
                "INSERT INTO inbox_processed SELECT 'billing', ('f' || substr(gen_random_uuid()::text, 2))::uuid,"
                        + " now() - i * interval '1 hour' + interval '1 minute' FROM generate_series(1, 442) AS i");
        record(1_000, 0, "1 hour");
        try (InboxDatabase own = database.again()) {
            assertThat(round(own.pool())).isEqualTo(250);
        }
        await().atMost(LIMIT)
                .until(() -> database.count(
                                "SELECT n_tup_del FROM pg_stat_user_tables" + " WHERE relname = 'inbox_processed_far'")
                        == 250);
        assertThat(database.count("SELECT idx_tup_read FROM pg_stat_user_indexes"
                        + " WHERE indexrelname = 'inbox_processed_far_processed_at_idx'"))
                .isBetween(250L, 260L);
        assertThat(database.count("SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'inbox_processed_far'"))
                .isZero();
    }

    @Test
    void theOtherLayoutIsRefusedAndSoAreSenselessPeriods() {
        assertThatThrownBy(
                        () -> InboxTables.of(TABLES).prepare(database.server().dataSource(), SchemaMode.MIGRATE))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("partitioned");
        assertThatThrownBy(() -> new PartitionedEvents(database.pool(), TABLES, SETTINGS, Duration.ofSeconds(90)))
                .hasMessageContaining("full minutes");
        assertThatThrownBy(() -> new PartitionedEvents(database.pool(), TABLES, SETTINGS, Duration.ofMinutes(30)))
                .hasMessageContaining("200 times");
    }

    /** With ranges from a day on, as if purges had run since then. */
    private void start(int day) {
        PurgeSettings longer = new PurgeSettings(Duration.ofDays(-day), Duration.ofMinutes(1), 100);
        new PartitionedEvents(database.pool(), TABLES, longer, DAY).purge();
    }

    private long round() {
        return round(database.pool());
    }

    private static long round(DataSource pool) {
        return new PartitionedEvents(pool, TABLES, SETTINGS, DAY).purge();
    }

    private void record(int rows, int day, String age) {
        jdbc.sql("INSERT INTO inbox_processed SELECT 'billing', id, clock_timestamp() - :age::interval"
                        + " FROM unnest(:ids) AS id")
                .param("age", age)
                .param("ids", Stream.generate(() -> id(day)).limit(rows).toArray(UUID[]::new))
                .update();
    }

    /** Processes an event twice, and returns the partitions that were looked at. */
    private List<String> touched(UUID id) {
        assertThat(inbox.processOnce("billing", id, () -> {})).isTrue();
        TransactionTemplate transaction = new TransactionTemplate(transactionManager);
        return transaction.execute(status -> {
            assertThat(inbox.processOnce("billing", id, () -> {})).isFalse();
            return JdbcClient.create(database.pool())
                    .sql("SELECT DISTINCT relation::regclass::text FROM pg_locks JOIN pg_class c ON c.oid = relation"
                            + " WHERE pid = pg_backend_pid() AND c.relispartition AND c.relkind = 'r'")
                    .query(String.class)
                    .list();
        });
    }

    private List<String> partitions() {
        return jdbc.sql("SELECT substr(inhrelid::regclass::text, 17) FROM pg_inherits"
                        + " WHERE inhparent = 'inbox_processed'::regclass ORDER BY 1")
                .query(String.class)
                .list();
    }

    private long rows(String suffix) {
        return database.count("SELECT count(*) FROM inbox_processed_" + suffix);
    }

    private long day(int days) {
        return today.plus(days, ChronoUnit.DAYS).toEpochMilli();
    }

    /** An id of version 7 from the noon of a day. */
    private UUID id(int days) {
        UUID random = UUID.randomUUID();
        long time = day(days) + Duration.ofHours(12).toMillis();
        return new UUID(
                time << 16 | 0x7000 | (random.getMostSignificantBits() & 0xfff), random.getLeastSignificantBits());
    }
}
