package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.OutboxListener;
import dev.outbox.PurgeSettings;
import dev.outbox.PurgeStore;
import dev.outbox.TestOutbox;
import dev.outbox.postgresql.TableNames;
import dev.outbox.relay.Purge;
import dev.outbox.testkit.KafkaBroker;
import dev.outbox.testkit.PostgresOptions;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.RestartablePostgres;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PurgeIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration WEEK = Duration.ofDays(7);

    private TestOutbox outbox = new TestOutbox();
    private OldRecords records = new OldRecords(outbox, TestOutbox.DEFAULT_NAMES);

    @AfterEach
    void close() throws Exception {
        outbox.close();
    }

    @Test
    void whatIsPublishedOrDiscardedAndOldIsRemovedAndNothingElse() {
        records.published(1_500, "old", "8 days");
        records.parked(1, "parked", "30 days");
        records.waiting(3, "waiting", "30 days");
        records.pending(2, "pending", "30 days");
        records.discarded(4, "discarded", "8 days", "8 days");
        records.discarded(1, "discarded lately", "8 days", "6 days");
        records.publishedLate(1, "published late", "8 days", "1 hour");
        records.published(1_000, "old", "7 days 1 minute");
        records.published(5, "young", "6 days 23 hours");

        assertThat(round(store(1_000))).isEqualTo(2_504);

        assertThat(remaining())
                .containsExactly("discarded lately", "parked", "pending", "published late", "waiting", "young");
        assertThat(outbox.count("true")).isEqualTo(13);
        assertThat(rows("outbox_event")).isEqualTo(13);
        assertThat(rows("outbox_delivery")).isEqualTo(13);
        assertThat(round(store(1_000))).isZero();
    }

    @Test
    void aRecordThatIsPendingAgainIsKeptWhateverIsLeftOfItsFormerState() {
        records.discarded(1, "again", "8 days", "8 days");
        outbox.jdbc.sql("UPDATE outbox_delivery SET parked_at = NULL").update();

        assertThat(round(store(10))).isZero();
        assertThat(remaining()).containsExactly("again");
    }

    @Test
    void aRetentionOfZeroRemovesWhatHasEnded() {
        records.published(3, "published", "1 second");
        records.parked(1, "parked", "1 second");
        records.discarded(1, "discarded", "1 second", "0 seconds");

        assertThat(round(new JdbcPurgeStore(outbox.dataSource, TestOutbox.DEFAULT_NAMES, settings(Duration.ZERO, 10))))
                .isEqualTo(4);
        assertThat(remaining()).containsExactly("parked");
    }

    @Test
    void eachTransactionRemovesOneBatchAtMost() {
        outbox.jdbc.sql("CREATE TABLE removal (transaction xid8)").update();
        outbox.jdbc
                .sql("CREATE FUNCTION remember() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " INSERT INTO removal VALUES (pg_current_xact_id()); RETURN OLD; END $$;"
                        + " CREATE TRIGGER remember BEFORE DELETE ON outbox_delivery"
                        + " FOR EACH ROW EXECUTE FUNCTION remember()")
                .update();
        records.published(250, "old", "8 days");

        round(store(100));

        assertThat(outbox.jdbc
                        .sql("SELECT count(*) FROM removal GROUP BY transaction ORDER BY 1")
                        .query(Integer.class)
                        .list())
                .containsExactly(50, 100, 100);
    }

    @Test
    void manyParkedRecordsAtTheBottomArePassedOnceARound() {
        records.parked(10_000, "parked", "30 days");
        records.published(10_000, "old", "8 days");
        records.published(20_000, "young", "1 day");

        PurgeStore store = store(1_000);
        List<PurgeStore.Step> first = steps(store);
        assertThat(first).hasSize(21);
        assertThat(removed(first)).isEqualTo(10_000);
        assertThat(steps(store)).hasSize(11);
        assertThat(outbox.count("published_at IS NULL")).isEqualTo(10_000);
    }

    @Test
    void aRoundThatHasLeftTooManyRecordsEndsAndTheNextOneGoesOnFromThere() {
        records.parked(PurgeWalk.MOST_LEFT + 500, "parked", "30 days");
        records.published(10, "old", "8 days");

        PurgeStore store = store(10_000);
        assertThat(removed(steps(store))).isZero();
        records.published(5, "appended meanwhile", "8 days");
        assertThat(removed(steps(store))).isEqualTo(15);
        assertThat(steps(store)).hasSize(10);
    }

    @Test
    void gapsInTheNumbersHideNothing() {
        for (int gap = 1; gap <= 30; gap++) {
            records.published(2, "old", "8 days");
            outbox.jdbc
                    .sql("SELECT setval('outbox_event_seq_seq', nextval('outbox_event_seq_seq') + :gap)")
                    .param("gap", (long) gap * gap * gap)
                    .query(Long.class)
                    .single();
        }
        records.published(2, "young", "1 day");

        assertThat(round(store(7))).isEqualTo(60);
        assertThat(remaining()).containsExactly("young");
    }

    @Test
    void whatSomebodyHasLockedIsSkippedNotWaitedFor() throws Exception {
        records.published(50, "old", "8 days");
        PurgeStore store = store(100);
        try (Connection other = outbox.database.dataSource().getConnection()) {
            other.setAutoCommit(false);
            other.createStatement().execute("SELECT FROM outbox_delivery WHERE seq BETWEEN 11 AND 20 FOR UPDATE");
            other.createStatement().execute("SELECT FROM outbox_event WHERE seq BETWEEN 31 AND 35 FOR UPDATE");

            assertThat(round(store)).isEqualTo(35);
            other.rollback();
        }
        assertThat(round(store)).isEqualTo(15);
        assertThat(rows("outbox_event")).isZero();
    }

    @Test
    void oneOwnerAtATime() throws Exception {
        records.published(10, "old", "8 days");
        PurgeStore store = store(100);
        try (Connection owner = outbox.database.dataSource().getConnection()) {
            owner.setAutoCommit(false);
            owner.createStatement()
                    .execute(
                            "SELECT pg_advisory_xact_lock(" + new AdvisoryKeys(TestOutbox.DEFAULT_NAMES).purge() + ")");
            assertThat(steps(store)).containsExactly(new PurgeStore.Step(0, true));
            owner.rollback();
        }
        assertThat(round(store)).isEqualTo(10);
    }

    /* As if the lock were not there: the keys of other tables are others. */
    @Test
    void twoPurgesAtOnceRemoveEachRecordOnce() throws Exception {
        records.published(20_000, "old", "8 days");
        var threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Integer>> totals = new ArrayList<>();
            for (int purge = 0; purge < 4; purge++) {
                PurgeWalk walk = new PurgeWalk(outbox.jdbc, settings(WEEK, 100), "outbox_delivery", "outbox_event");
                totals.add(threads.submit(() -> {
                    int total = 0;
                    PurgeStore.Step step;
                    do {
                        step = outbox.transaction.execute(status -> walk.step());
                        total += step.removed();
                    } while (!step.last());
                    return total;
                }));
            }
            int total = 0;
            for (Future<Integer> each : totals) {
                total += each.get();
            }
            assertThat(total).isEqualTo(20_000);
        } finally {
            threads.shutdownNow();
        }
        assertThat(rows("outbox_event")).isZero();
        assertThat(rows("outbox_delivery")).isZero();
    }

    @Test
    void purgesWhileTheRelayIsAtWork() {
        String topic = KafkaBroker.shared().createTopic("orders", 1);
        records.published(5_000, "old", "8 days");
        outbox.startRelay(TestOutbox.settings(64, 50));
        List<Integer> told = new CopyOnWriteArrayList<>();
        Purge purge = purge(new OutboxListener() {
            @Override
            public void purged(int count) {
                told.add(count);
            }
        });
        purge.start();
        try {
            for (int i = 0; i < 500; i++) {
                outbox.append(TestOutbox.event(topic, "a" + i % 20).build());
            }
            await().atMost(LIMIT)
                    .until(() -> outbox.count("published_at IS NOT NULL AND topic = '" + topic + "'") == 500);
            await().atMost(LIMIT).until(() -> outbox.count("true") == 500);
        } finally {
            purge.stop();
        }
        assertThat(told.stream().mapToInt(Integer::intValue).sum()).isEqualTo(5_000);
        assertThat(KafkaBroker.shared().records(topic)).hasSize(500);
    }

    @Test
    void removalsAreDurableInAPoolWithoutAutoCommit() throws Exception {
        outbox.close();
        outbox = new TestOutbox(TestOutbox.DEFAULT_NAMES, config -> config.setAutoCommit(false));
        records = new OldRecords(outbox, TestOutbox.DEFAULT_NAMES);
        records.published(10, "old", "8 days");

        round(store(3));
        try (Connection other = outbox.database.dataSource().getConnection();
                var found = other.createStatement().executeQuery("SELECT count(*) FROM outbox_event")) {
            found.next();
            assertThat(found.getInt(1)).isZero();
        }
    }

    @Test
    void worksInASchemaAndUnderAPrefixOfItsOwn() throws Exception {
        outbox.close();
        TableNames names = new TableNames("Ordering", "My_");
        outbox = new TestOutbox(names, config -> {});
        records = new OldRecords(outbox, names);
        records.published(10, "old", "8 days");
        records.published(10, "young", "1 day");

        assertThat(round(new JdbcPurgeStore(outbox.dataSource, names, settings(WEEK, 100))))
                .isEqualTo(10);
        assertThat(outbox.count("true")).isEqualTo(10);
    }

    @Test
    void survivesARestartOfTheDatabase() throws Exception {
        outbox.close();
        try (RestartablePostgres server = PostgresServer.start(PostgresOptions.fast())) {
            outbox = new TestOutbox(
                    server.createDatabase(),
                    TestOutbox.DEFAULT_NAMES,
                    config -> config.setConnectionTimeout(500),
                    true);
            records = new OldRecords(outbox, TestOutbox.DEFAULT_NAMES);
            records.published(10, "old", "8 days");
            Purge purge = purge(new OutboxListener() {});
            purge.start();
            try {
                await().atMost(LIMIT).until(() -> outbox.count("true") == 0);
                server.stopImmediate();
                server.start();
                await().atMost(LIMIT).ignoreExceptions().untilAsserted(() -> records.published(10, "old", "8 days"));
                await().atMost(LIMIT).ignoreExceptions().until(() -> outbox.count("true") == 0);
            } finally {
                purge.stop();
                outbox.close();
            }
        }
    }

    private Purge purge(OutboxListener listener) {
        return new Purge(store(100), Duration.ofMillis(100), listener, Purge.platformThreads());
    }

    private PurgeStore store(int batchSize) {
        return new JdbcPurgeStore(outbox.dataSource, TestOutbox.DEFAULT_NAMES, settings(WEEK, batchSize));
    }

    private static PurgeSettings settings(Duration retention, int batchSize) {
        return new PurgeSettings(retention, PurgeSettings.DEFAULT_PERIOD, batchSize);
    }

    private static int round(PurgeStore store) {
        return removed(steps(store));
    }

    private static int removed(List<PurgeStore.Step> steps) {
        return steps.stream().mapToInt(PurgeStore.Step::removed).sum();
    }

    private static List<PurgeStore.Step> steps(PurgeStore store) {
        List<PurgeStore.Step> steps = new ArrayList<>();
        do {
            steps.add(store.step());
        } while (!steps.get(steps.size() - 1).last());
        return steps;
    }

    private List<String> remaining() {
        return outbox.jdbc
                .sql("SELECT DISTINCT aggregate_id FROM outbox_event ORDER BY 1")
                .query(String.class)
                .list();
    }

    private long rows(String table) {
        return outbox.jdbc
                .sql("SELECT count(*) FROM " + table)
                .query(Long.class)
                .single();
    }
}
