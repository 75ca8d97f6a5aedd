package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.BatchLimits;
import dev.outbox.DeliveryStore;
import dev.outbox.OpenTransaction;
import dev.outbox.Outcome;
import dev.outbox.TestOutbox;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * A report that has been reading elsewhere for long keeps the server from forgetting what was published. What a pass costs
 * must not grow with that.
 */
class OldTransactionIT {

    private static final int RECORDS = 60_000;

    /** Walking past what was published since touches more than 1,600 pages of index and table. */
    private static final int FEW_PAGES = 1_000;

    private static final Pattern PAGES = Pattern.compile("Buffers: shared hit=(\\d+)");

    private static final TestOutbox outbox = new TestOutbox(
            TestOutbox.DEFAULT_NAMES,
            config -> config.setConnectionInitSql(
                    PlanRecorder.EXPLAIN_EVERYTHING + "; SET auto_explain.log_buffers = on"));

    private static final PlanRecorder plans = new PlanRecorder(outbox.dataSource);

    private final DeliveryStore store =
            new JdbcDeliveryStore(plans, TestOutbox.DEFAULT_NAMES, StoreSettings.defaults(Duration.ofSeconds(30)));

    @AfterAll
    static void close() throws Exception {
        outbox.close();
    }

    @Test
    void neitherAClaimNorAReadWalksPastWhatWasPublishedSinceItBegan() throws Exception {
        try (OpenTransaction old = OpenTransaction.begin(outbox)) {
            old.run(() -> {
                outbox.jdbc
                        .sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                        .update();
                return outbox.jdbc
                        .sql("SELECT count(*) FROM outbox_lane")
                        .query(Long.class)
                        .single();
            });
            List<String> lane = outbox.aggregatesOfLane(3, 100);
            append(lane, RECORDS);
            outbox.jdbc.sql("ANALYZE outbox_delivery").update();
            publishAll();
            append(lane, 50);
            plans.clear();
            publishAll();

            assertThat(pages("FOR UPDATE OF l SKIP LOCKED")).isNotEmpty().allMatch(pages -> pages < FEW_PAGES);
            assertThat(pages("AS behind")).isNotEmpty().allMatch(pages -> pages < FEW_PAGES);
            assertThat(outbox.count("published_at IS NULL")).isZero();
        }
    }

    private static void append(List<String> aggregates, int count) {
        outbox.transaction.executeWithoutResult(status -> outbox.writer.appendAll(IntStream.range(0, count)
                .mapToObj(i -> TestOutbox.event("orders", aggregates.get(i % aggregates.size()))
                        .build())
                .toList()));
    }

    private void publishAll() {
        try (DeliveryStore.Claim claim = store.claim(64)) {
            BatchLimits limits = new BatchLimits(1_000, 8_000_000);
            for (var batch = claim.read(limits); !batch.deliveries().isEmpty(); batch = claim.read(limits)) {
                claim.record(batch.deliveries().stream().map(Outcome::published).toList());
            }
        }
    }

    /** How many pages each execution of a statement has touched in all. */
    private static List<Integer> pages(String statement) {
        return plans.plans(statement).stream()
                .map(PAGES::matcher)
                .filter(Matcher::find)
                .map(matcher -> Integer.parseInt(matcher.group(1)))
                .toList();
    }
}
