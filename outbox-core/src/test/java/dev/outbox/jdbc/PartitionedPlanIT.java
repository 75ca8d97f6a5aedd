package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.BatchLimits;
import dev.outbox.Delivery;
import dev.outbox.DeliveryStore;
import dev.outbox.Outcome;
import dev.outbox.PurgeSettings;
import dev.outbox.PurgeStore;
import dev.outbox.TestOutbox;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What the relay asks for each batch follows the indexes of every partition, beside 60,000 published and 20,000 pending records. */
class PartitionedPlanIT {

    private static final TestOutbox outbox = TestOutbox.partitioned(
            TestOutbox.DEFAULT_NAMES, 20_000, config -> config.setConnectionInitSql(PlanRecorder.EXPLAIN_EVERYTHING));
    private static final PlanRecorder plans = new PlanRecorder(outbox.dataSource);
    private final OldRecords records = new OldRecords(outbox, TestOutbox.DEFAULT_NAMES);
    private final DeliveryStore store =
            new JdbcDeliveryStore(plans, TestOutbox.DEFAULT_NAMES, StoreSettings.defaults(Duration.ofSeconds(30)));

    @AfterAll
    static void close() throws Exception {
        outbox.close();
    }

    @Test
    void claimReadAndMarkFollowAnIndexOfThePartitions() {
        records.published(60_000, "published", "1 day");
        PurgeStore partitions = new PartitionedPurgeStore(
                outbox.dataSource, TestOutbox.DEFAULT_NAMES, PurgeSettings.defaults(), 20_000);
        while (!partitions.step().last()) {
            assertThat(outbox.count("seq = 1")).isEqualTo(1);
        }
        // As autovacuum does: what was never written to has no statistics.
        for (String partition : List.of("p0", "p20000", "p40000")) {
            outbox.jdbc.sql("VACUUM ANALYZE outbox_delivery_" + partition).update();
            outbox.jdbc.sql("VACUUM ANALYZE outbox_event_" + partition).update();
        }
        records.pending(20_000, "pending", "1 hour");
        for (int pass = 0; pass < 8; pass++) {
            try (DeliveryStore.Claim claim = store.claim(32)) {
                DeliveryStore.Batch batch = claim.read(new BatchLimits(500, 8_000_000));
                assertThat(batch.deliveries()).hasSizeGreaterThan(100);
                claim.record(batch.deliveries().stream()
                        .map(PartitionedPlanIT::outcome)
                        .toList());
            }
        }
        assertThat(store.backlog().blocked()).isPositive();

        for (String statement : List.of(
                "FOR UPDATE OF l SKIP LOCKED",
                "IS NOT NULL AS behind",
                "false AS behind",
                "SET published_at",
                "last_error = f.error",
                "d SET next_attempt_at = clock_timestamp()")) {
            assertThat(plans.plans(statement))
                    .as(statement)
                    .isNotEmpty()
                    .allSatisfy(plan -> assertThat(plan)
                            .doesNotContainPattern("Seq Scan on outbox_(?:delivery|event)_(?:p\\d|rest)")
                            .containsPattern(
                                    "(?:Index|Bitmap Index)[A-Za-z ]* (?:using|on) outbox_delivery_(?:p\\d|rest)"));
        }
    }

    private static Outcome outcome(Delivery delivery) {
        return delivery.attempts() == 0 && delivery.seq() % 47 == 0
                ? LaneHolder.failed(delivery, Outcome.State.RETRY, Duration.ofMillis(1))
                : Outcome.published(delivery);
    }
}
