package dev.outbox.jdbc;

import static dev.outbox.jdbc.DecidedRows.ADA;
import static dev.outbox.jdbc.DecidedRows.topic;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.OutboxOperations;
import dev.outbox.ParkedRecord;
import dev.outbox.RecordFilter;
import dev.outbox.TestOutbox;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What operators ask follows the indexes, beside 40,000 published records and whatever the statistics know. */
class OperationsPlanIT {

    private static final Pattern REMOVED_BY_FILTER = Pattern.compile("Rows Removed by [A-Za-z ]*Filter: (\\d+)");

    private static final TestOutbox outbox = new TestOutbox(
            TestOutbox.DEFAULT_NAMES, config -> config.setConnectionInitSql(PlanRecorder.EXPLAIN_EVERYTHING));

    private static final PlanRecorder plans = new PlanRecorder(outbox.dataSource);

    private final DecidedRows rows = new DecidedRows(outbox);
    private final OutboxOperations operations = new JdbcOutboxOperations(plans, TestOutbox.DEFAULT_NAMES);

    @AfterAll
    static void close() throws Exception {
        outbox.close();
    }

    @Test
    void everyStatementFollowsAnIndexWhateverTheStatisticsKnow() {
        rows.appendMany("orders", 40_000);
        rows.publish("true");
        gatherStatistics();
        rows.appendMany("stock", 8_000);
        rows.park("seq BETWEEN 40001 AND 46000");
        rows.set("waiting = true, next_attempt_at = now() + interval '1 hour'", "seq > 46000");
        decide(0);
        assertFollowIndexes();

        plans.clear();
        gatherStatistics();
        decide(1_000);
        assertFollowIndexes();
    }

    private static void gatherStatistics() {
        for (String table : List.of("outbox_event", "outbox_delivery")) {
            outbox.jdbc.sql("VACUUM ANALYZE " + table).update();
        }
    }

    /** Often enough that the server plans without looking at the parameters. */
    private void decide(int first) {
        for (int i = first; i < first + 7; i++) {
            operations.parked(topic("stock"), new ParkedRecord.Position(Instant.EPOCH, i), 100);
            operations.retry(RecordFilter.ofSeqs(40_001L + i, 40_101L + i), ADA);
            operations.discard(RecordFilter.ofSeqs(40_201L + i, 40_301L + i), ADA);
            operations.republish(RecordFilter.ofSeqs(1L + i, 101L + i), ADA);
            operations.previewRepublish(RecordFilter.builder()
                    .appendedBetween(Instant.EPOCH, Instant.EPOCH.plusSeconds(i + 1))
                    .build());
        }
        assertThat(operations.previewRepublish(topic("orders")).count()).isGreaterThan(39_000);
        assertThat(operations.previewRepublish(
                        RecordFilter.builder().aggregate("order", "many7").build()))
                .isNotNull();
        assertThat(operations
                        .retry(
                                RecordFilter.builder()
                                        .topic("stock")
                                        .atMost(6_000)
                                        .build(),
                                ADA)
                        .count())
                .isGreaterThan(0);
        rows.park("seq BETWEEN 40001 AND 46000 AND discarded_at IS NULL");
        assertThat(operations.pause("stock", ADA) && operations.resume("stock", ADA))
                .isTrue();
    }

    private static void assertFollowIndexes() {
        assertFollows("d.parked_at >= ", RecordSearch.STEP, "outbox_delivery_parked", "outbox_event_pkey");
        assertFollows("d.seq > $", RecordSearch.STEP, "outbox_delivery_pkey", "outbox_event_pkey");
        assertFollows("AS named (seq)", 10, "outbox_delivery_pkey");
        assertFollows("SET parked_at = NULL", 0, "outbox_delivery_pkey");
        assertFollows("SET discarded_at", 0, "outbox_delivery_pkey");
        assertFollows("SET published_at = NULL", 0, "outbox_delivery_pkey");
        assertFollows("min(seq) AS first", 1, "outbox_delivery_waiting", "outbox_delivery_pkey");
        assertFollows("FROM (SELECT DISTINCT lane", 1, "outbox_delivery_waiting");
        assertFollows("of_topic AS", 1_000, "outbox_delivery_due", "outbox_event_pkey");
        assertFollows("ORDER BY seq LIMIT 1", 0, "outbox_event_pkey");
    }

    private static void assertFollows(String statement, int mostRemoved, String... indexes) {
        List<String> found = plans.plans(statement);
        assertThat(found).as(statement).isNotEmpty();
        for (String plan : found) {
            assertThat(plan).doesNotContain("Seq Scan on outbox_delivery", "Seq Scan on outbox_event");
            assertThat(REMOVED_BY_FILTER.matcher(plan).results().mapToInt(match -> Integer.parseInt(match.group(1))))
                    .as(plan)
                    .allMatch(removed -> removed <= mostRemoved);
        }
        for (String index : indexes) {
            assertThat(found).as(statement).allMatch(plan -> plan.contains(index));
        }
    }
}
