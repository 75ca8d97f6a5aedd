package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.PurgeSettings;
import dev.outbox.PurgeStore;
import dev.outbox.TestOutbox;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the purge asks follows the primary keys and reads a batch at most, beside 100,000 records that stay. */
class PurgePlanIT {

    private static final Pattern ROWS_READ = Pattern.compile("(?:Scan|Filter)[^\\n]*actual[^\\n]* rows=(\\d+)");
    private static final int BATCH = 500;

    private final TestOutbox outbox = new TestOutbox(
            TestOutbox.DEFAULT_NAMES, config -> config.setConnectionInitSql(PlanRecorder.EXPLAIN_EVERYTHING));
    private final OldRecords records = new OldRecords(outbox, TestOutbox.DEFAULT_NAMES);
    private final PlanRecorder plans = new PlanRecorder(outbox.dataSource);

    @AfterEach
    void close() throws Exception {
        outbox.close();
    }

    @Test
    void noStatementReadsMoreThanABatchWhateverTheStatisticsKnow() {
        records.parked(2_000, "parked", "30 days");
        records.published(6_000, "old", "8 days");
        records.published(100_000, "young", "1 day");
        PurgeStore store = new JdbcPurgeStore(
                plans,
                TestOutbox.DEFAULT_NAMES,
                new PurgeSettings(Duration.ofDays(7), PurgeSettings.DEFAULT_PERIOD, BATCH));

        round(store, 17);
        assertReadLittle();

        outbox.jdbc.sql("VACUUM ANALYZE outbox_event").update();
        outbox.jdbc.sql("VACUUM ANALYZE outbox_delivery").update();
        plans.clear();
        records.published(6_000, "old again", "8 days");
        outbox.jdbc
                .sql("UPDATE outbox_event SET created_at = created_at - interval '10 days'")
                .update();
        round(store, PurgeWalk.MOST_LEFT / BATCH);
        round(store, 17);
        assertReadLittle();
    }

    private static void round(PurgeStore store, int expectedSteps) {
        int steps = 0;
        PurgeStore.Step step;
        do {
            step = store.step();
            steps++;
        } while (!step.last());
        assertThat(steps).isEqualTo(expectedSteps);
    }

    private void assertReadLittle() {
        for (String statement : List.of("WITH walked AS", "RECURSIVE cutoff")) {
            List<String> found = plans.plans(statement);
            assertThat(found).as(statement).isNotEmpty();
            for (String plan : found) {
                assertThat(plan).doesNotContain("Seq Scan on outbox_");
                assertThat(ROWS_READ.matcher(plan).results().mapToInt(match -> Integer.parseInt(match.group(1))))
                        .as(plan)
                        .isNotEmpty()
                        .allMatch(rows -> rows <= BATCH);
            }
        }
    }
}
