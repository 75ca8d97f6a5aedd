package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.BatchLimits;
import dev.outbox.Delivery;
import dev.outbox.DeliveryStore;
import dev.outbox.Outcome;
import dev.outbox.TestOutbox;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What the relay asks follows the indexes, beside 200,000 published and 20,000 pending records. */
class QueryPlanIT {

    private static final TestOutbox outbox = new TestOutbox(
            TestOutbox.DEFAULT_NAMES, config -> config.setConnectionInitSql(PlanRecorder.EXPLAIN_EVERYTHING));

    private static final Pattern REMOVED_BY_FILTER = Pattern.compile("Rows Removed by [A-Za-z ]*Filter: (\\d+)");
    private static final int FEW = 500;

    private static final PlanRecorder plans = new PlanRecorder(outbox.dataSource);

    /* Of the pending, 5,000 wait behind 100 parked ones, and 500 are due. */
    private static final String FILL = """
            INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, topic, event_type, schema_version,
                                      content_type, payload, headers)
            SELECT gen_random_uuid(), 'order', 'a' || i, 'orders', 'order.confirmed', 1, 'application/json',
                   decode(repeat('61', 300), 'hex'), '{}'
            FROM generate_series(:first, :last) AS i;
            INSERT INTO outbox_delivery (seq, lane, aggregate_hash, published_at, waiting, next_attempt_at, parked_at)
            SELECT i, a.hash & 63, a.hash, CASE WHEN i <= 200000 THEN now() END, i > 214500,
                   CASE WHEN i BETWEEN 214501 AND 215000 THEN now() END,
                   CASE WHEN i BETWEEN 215001 AND 215100 THEN now() END
            FROM generate_series(:first, :last) AS i
            CROSS JOIN LATERAL (SELECT hashtextextended(CASE WHEN i > 215000 THEN 'p' || i % 100
                                                             WHEN i > 214500 THEN 'r' || i
                                                             ELSE 'a' || i % 2000 END, 0) AS hash) a;
            """;

    private final DeliveryStore store =
            new JdbcDeliveryStore(plans, TestOutbox.DEFAULT_NAMES, StoreSettings.defaults(Duration.ofSeconds(30)));

    @AfterAll
    static void close() throws Exception {
        outbox.close();
    }

    @Test
    void everyStatementOfTheRelayFollowsAnIndexWhateverTheStatisticsKnow() {
        fill(1, 200_000);
        gatherStatistics();
        fill(200_001, 220_000);
        relay();
        assertFollowIndexes();

        plans.clear();
        gatherStatistics();
        relay();
        assertFollowIndexes();
    }

    private static void fill(int first, int last) {
        outbox.jdbc.sql(FILL).param("first", first).param("last", last).update();
    }

    private static void gatherStatistics() {
        for (String table : List.of("outbox_event", "outbox_delivery", "outbox_lane")) {
            outbox.jdbc.sql("VACUUM ANALYZE " + table).update();
        }
    }

    /** Often enough that the server plans without looking at the parameters. */
    private void relay() {
        for (int pass = 0; pass < 8; pass++) {
            try (DeliveryStore.Claim claim = store.claim(32)) {
                DeliveryStore.Batch batch = claim.read(new BatchLimits(500, 8_000_000));
                assertThat(batch.deliveries()).hasSizeGreaterThan(100);
                claim.record(
                        batch.deliveries().stream().map(QueryPlanIT::outcome).toList());
            }
        }
        assertThat(store.backlog().parked()).isEqualTo(100);
    }

    private static void assertFollowIndexes() {
        assertFollows("FOR UPDATE OF l SKIP LOCKED", "outbox_delivery_ready", "outbox_delivery_due");
        assertFollows("IS NOT NULL AS behind", "outbox_delivery_ready", "outbox_delivery_waiting", "outbox_event_pkey");
        assertFollows("false AS behind", "outbox_delivery_due", "outbox_delivery_waiting", "outbox_event_pkey");
        assertFollows("SET published_at", "outbox_delivery_pkey");
        assertFollows("last_error = f.error", "outbox_delivery_pkey");
        assertFollows("d SET next_attempt_at = clock_timestamp()", "outbox_delivery_waiting");
        assertFollows("min(e.created_at)", "outbox_delivery_ready", "outbox_delivery_due", "outbox_event_pkey");
    }

    /* 47 shares no factor with the 2,000 aggregates, so every pass meets some that have not failed before. */
    private static Outcome outcome(Delivery delivery) {
        return delivery.seq() % 47 == 0
                ? LaneHolder.failed(delivery, Outcome.State.RETRY, Duration.ofHours(1))
                : Outcome.published(delivery);
    }

    private static void assertFollows(String statement, String... indexes) {
        List<String> found = plans.plans(statement);
        assertThat(found).as(statement).isNotEmpty();
        for (String plan : found) {
            assertThat(plan).doesNotContain("Seq Scan on outbox_delivery", "Seq Scan on outbox_event ");
            assertThat(REMOVED_BY_FILTER.matcher(plan).results().mapToInt(match -> Integer.parseInt(match.group(1))))
                    .as(plan)
                    .allMatch(rows -> rows <= FEW);
        }
        for (String index : indexes) {
            assertThat(found).as(statement).anyMatch(plan -> plan.contains(index));
        }
    }
}
