package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.FailingPublisher;
import dev.outbox.PublishFailure;
import dev.outbox.PurgeSettings;
import dev.outbox.PurgeStore;
import dev.outbox.TestOutbox;
import dev.outbox.postgresql.TableNames;
import dev.outbox.testkit.CommittedEvent;
import dev.outbox.testkit.History;
import dev.outbox.testkit.KafkaBroker;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The partitioned layout, with 1,000 numbers in a partition. */
class PartitionedIT {

    private static final long SIZE = 1_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration WEEK = Duration.ofDays(7);

    private TestOutbox outbox = TestOutbox.partitioned(TestOutbox.DEFAULT_NAMES, SIZE, config -> {});
    private OldRecords records = new OldRecords(outbox, TestOutbox.DEFAULT_NAMES);

    @AfterEach
    void close() throws Exception {
        outbox.close();
    }

    @Test
    void twoPartitionsAreMadeAheadAndTheRestFollows() {
        assertThat(partitions()).containsExactly("p0", "p1000", "rest");
        round();
        assertThat(partitions()).containsExactly("p0", "p1000", "p2000", "rest");
        round();
        assertThat(partitions()).containsExactly("p0", "p1000", "p2000", "rest");

        records.pending(1_500, "pending", "1 day");
        round();
        assertThat(partitions()).containsExactly("p0", "p1000", "p2000", "p3000", "rest");
        assertThat(rows("outbox_event_rest")).isZero();
        assertThat(fillFactors("outbox\\_delivery\\_%")).hasSize(5).containsOnly("{fillfactor=50}");
    }

    @Test
    void aPartitionIsDroppedWhenAllOfItIsPublishedOrDiscardedAndOld() {
        round();
        records.published(899, "old", "9 days");
        records.discarded(99, "discarded", "9 days", "8 days");
        assertThat(round()).isZero();
        records.published(1, "the last of its partition", "8 days");
        assertThat(round()).isEqualTo(999);
        assertThat(partitions()).containsExactly("p1000", "p2000", "rest");

        records.published(999, "old", "8 days");
        records.publishedLate(1, "late", "8 days", "6 days");
        assertThat(round()).isZero();
        records.published(1_000, "young", "1 day");
        records.published(500, "current", "8 days");
        assertThat(round()).isZero();
        assertThat(partitions()).startsWith("p1000", "p2000", "p3000").endsWith("rest");
        assertThat(outbox.count("true")).isEqualTo(2_500);
        assertThat(rows("outbox_event")).isEqualTo(2_500);

        outbox.jdbc
                .sql("UPDATE outbox_delivery SET published_at = published_at - interval '3 days'")
                .update();
        assertThat(round()).isEqualTo(1_000);
        assertThat(partitions()).startsWith("p2000", "p3000");
        assertThat(round()).isZero();
    }

    @Test
    void aPartitionWithAParkedRecordIsKeptAndTheOldOnesAreRemovedFromIt() {
        records.published(400, "old", "8 days");
        records.parked(1, "parked", "8 days");
        records.waiting(1, "waiting", "8 days");
        records.pending(1, "pending", "8 days");
        records.published(1_000, "old", "8 days");

        assertThat(round()).isEqualTo(996);
        assertThat(partitions()).startsWith("p0", "p1000");
        assertThat(rows("outbox_delivery_p0")).isEqualTo(3);
        assertThat(rows("outbox_event_p0")).isEqualTo(3);

        outbox.jdbc
                .sql("UPDATE outbox_delivery SET published_at = now() - interval '8 days' WHERE published_at IS NULL")
                .update();
        assertThat(round()).isEqualTo(3);
        assertThat(partitions()).startsWith("p1000");
    }

    /* The numbers run through both partitions and the rest between two rounds. */
    @Test
    void anAppendAlwaysFindsAPlaceAndThePartitionForTheRestIsMendedAfterwards() {
        records.pending(4_500, "pending", "1 day");
        assertThat(rows("outbox_delivery_rest")).isEqualTo(2_501);
        assertThat(rows("outbox_event_rest")).isEqualTo(2_501);

        round();
        assertThat(partitions()).containsExactly("p0", "p1000", "p2000", "p5000", "p6000", "rest");
        assertThat(rows("outbox_delivery_rest")).isZero();
        assertThat(rows("outbox_delivery_p2000")).isEqualTo(2_501);
        assertThat(outbox.count("true")).isEqualTo(4_500);
        records.pending(1_000, "pending", "1 day");
        assertThat(rows("outbox_event_p5000")).isEqualTo(501);
    }

    @Test
    void whereTheRestCantBeMendedNothingIsHeldUpForLongAndItIsPurgedRowByRow() throws Exception {
        records.published(2_500, "old", "8 days");
        try (Connection reader = outbox.database.dataSource().getConnection()) {
            reader.setAutoCommit(false);
            reader.createStatement().execute("SELECT FROM outbox_delivery LIMIT 1");
            PurgeStore store = store(outbox, TestOutbox.DEFAULT_NAMES);
            CompletableFuture<Integer> round = CompletableFuture.supplyAsync(() -> round(store));
            while (!round.isDone()) {
                long begin = System.nanoTime();
                outbox.append(TestOutbox.event("orders", "1").build());
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2));
            }
            assertThat(round.get()).isEqualTo(501);
            assertThat(partitions()).containsExactly("p0", "p1000", "rest");
            reader.rollback();
            assertThat(round(store)).isEqualTo(1_999);
        }
    }

    /* Its number is of a partition that has been over for long when it commits. */
    @Test
    void aTransactionThatIsOpenForLongerThanTheRetentionLosesNothing() throws Exception {
        try (Connection late = outbox.database.dataSource().getConnection()) {
            late.setAutoCommit(false);
            late.createStatement()
                    .execute("WITH e AS (INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, topic,"
                            + " event_type, schema_version, content_type, payload, headers, created_at)"
                            + " VALUES (gen_random_uuid(), 'order', 'late', 'orders', 'order.confirmed', 1,"
                            + " 'application/json', '{}', '{}', now() - interval '9 days')"
                            + " RETURNING seq) INSERT INTO outbox_delivery (seq, lane, aggregate_hash)"
                            + " SELECT seq, 1, 1 FROM e");
            records.published(1_500, "old", "8 days");
            CompletableFuture<Integer> round =
                    CompletableFuture.supplyAsync(() -> round(store(outbox, TestOutbox.DEFAULT_NAMES)));
            await().atMost(LIMIT)
                    .until(() -> outbox.jdbc
                                    .sql("SELECT count(*) FROM pg_inherits WHERE inhdetachpending"
                                            + " AND inhrelid = 'outbox_delivery_p0'::regclass")
                                    .query(Integer.class)
                                    .single()
                            == 1);
            outbox.append(TestOutbox.event("orders", "not held up").build());
            late.commit();

            assertThat(round.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(998);
        }
        assertThat(partitions()).startsWith("p0", "p1000");
        assertThat(outbox.count("aggregate_id = 'late' AND published_at IS NULL"))
                .isEqualTo(1);
    }

    @Test
    void whatWasInterruptedIsFinished() {
        records.published(2_500, "old", "8 days");
        round();
        records.published(2_500, "old", "8 days");
        outbox.jdbc
                .sql("ALTER TABLE outbox_delivery DETACH PARTITION outbox_delivery_rest")
                .update();
        outbox.jdbc
                .sql("ALTER TABLE outbox_delivery DETACH PARTITION outbox_delivery_p2000")
                .update();
        List<String> before = partitions();

        round();
        assertThat(partitions()).isNotEqualTo(before).endsWith("rest");
        assertThat(partitions("outbox_event")).isEqualTo(partitions());
        records.pending(20, "pending", "1 day");
        assertThat(outbox.count("aggregate_id = 'pending'")).isEqualTo(20);
    }

    @Test
    void whatIsAppendedIsPublishedInOrderRetriedParkedAndDropped() {
        String topic = KafkaBroker.shared().createTopic("orders", 3);
        Map<Long, Integer> failures = new ConcurrentHashMap<>();
        outbox.startRelay(
                TestOutbox.settings(16, 100),
                outbox.store(),
                new FailingPublisher(
                        outbox.publisher(Map.of()),
                        delivery -> delivery.seq() % 50 == 1 && failures.merge(delivery.seq(), 1, Integer::sum) <= 3
                                ? new PublishFailure(
                                        PublishFailure.Kind.TRANSIENT, new IllegalStateException("no luck"))
                                : null));
        List<CommittedEvent> committed = new ArrayList<>();
        for (int i = 0; i < 1_200; i++) {
            UUID id = outbox.append(TestOutbox.event(topic, "a" + i % 40).build());
            committed.add(new CommittedEvent(id.toString(), "a" + i % 40, i / 40 + 1));
            if (i % 400 == 399) {
                round();
            }
        }
        outbox.insertUnchecked("", "parked", new byte[0]);

        await().atMost(LIMIT)
                .until(() -> outbox.count("published_at IS NULL AND parked_at IS NULL") == 0
                        && outbox.count("parked_at IS NOT NULL") == 1);
        History.of(committed, KafkaBroker.shared().records(topic), TestOutbox::eventId, TestOutbox::key)
                .assertClean();
        round();
        assertThat(partitions()).startsWith("p0", "p1000");

        outbox.jdbc
                .sql("UPDATE outbox_event SET created_at = created_at - interval '8 days'; UPDATE outbox_delivery"
                        + " SET published_at = published_at - interval '8 days'")
                .update();
        assertThat(round()).isEqualTo(999);
        assertThat(partitions()).startsWith("p1000");
        assertThat(outbox.count("true")).isEqualTo(202);
    }

    @Test
    void worksUnderOtherNamesAndWithoutAutoCommit() throws Exception {
        outbox.close();
        TableNames names = new TableNames("Ordering", "My_");
        outbox = TestOutbox.partitioned(names, SIZE, config -> config.setAutoCommit(false));
        records = new OldRecords(outbox, names);
        records.published(1_500, "old", "8 days");

        assertThat(round(store(outbox, names))).isEqualTo(999);
        assertThat(outbox.count("true")).isEqualTo(501);
    }

    @Test
    void twoInstancesDoNotDisturbEachOther() {
        records.published(1_500, "old", "8 days");
        PurgeStore one = store(outbox, TestOutbox.DEFAULT_NAMES);
        PurgeStore other = store(outbox, TestOutbox.DEFAULT_NAMES);
        int total = 0;
        for (int step = 0; step < 20; step++) {
            CompletableFuture<Integer> first =
                    CompletableFuture.supplyAsync(() -> one.step().removed());
            CompletableFuture<Integer> second =
                    CompletableFuture.supplyAsync(() -> other.step().removed());
            total += first.join() + second.join();
        }
        assertThat(total).isEqualTo(999);
        assertThat(partitions()).containsExactly("p1000", "p2000", "p3000", "rest");
    }

    private int round() {
        return round(store(outbox, TestOutbox.DEFAULT_NAMES));
    }

    private static PurgeStore store(TestOutbox outbox, TableNames names) {
        return new PartitionedPurgeStore(
                outbox.dataSource,
                names,
                new PurgeSettings(WEEK, PurgeSettings.DEFAULT_PERIOD, 1_000),
                SIZE,
                Duration.ofSeconds(3));
    }

    private static int round(PurgeStore store) {
        int removed = 0;
        PurgeStore.Step step;
        do {
            step = store.step();
            removed += step.removed();
        } while (!step.last());
        return removed;
    }

    private List<String> partitions() {
        return partitions("outbox_delivery");
    }

    private List<String> partitions(String table) {
        return outbox.jdbc
                .sql("SELECT substr(inhrelid::regclass::text, :skip) FROM pg_inherits"
                        + " WHERE inhparent = :table::regclass ORDER BY 1")
                .param("skip", table.length() + 2)
                .param("table", table)
                .query(String.class)
                .list();
    }

    private List<String> fillFactors(String tables) {
        return outbox.jdbc
                .sql("SELECT reloptions::text FROM pg_class WHERE relkind = 'r' AND relname LIKE :tables")
                .param("tables", tables)
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
