package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.BatchLimits;
import dev.outbox.DeliveryStore;
import dev.outbox.TestOutbox;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who holds a lane, and for how long. */
class JdbcDeliveryStoreIT {

    private static final int ALL = 64;
    private static final BatchLimits WIDE = new BatchLimits(1_000, 1_000_000);

    private static final TestOutbox outbox = new TestOutbox();

    private final LaneHolder first = new LaneHolder(outbox.store());
    private final LaneHolder second = new LaneHolder(outbox.store());

    @AfterAll
    static void closeOutbox() throws Exception {
        outbox.close();
    }

    @BeforeEach
    void clear() {
        outbox.clear();
    }

    @AfterEach
    void close() throws Exception {
        first.close();
        second.close();
    }

    @Test
    void claimsNothingWhenNothingIsToBePublished() throws Exception {
        assertThat(first.claim(ALL)).isFalse();
    }

    @Test
    void aLaneHasOneHolderAndTheOthersDoNotWaitForIt() throws Exception {
        appendToLanes(1, 2, 3);
        assertThat(first.claim(ALL)).isTrue();
        assertThat(second.claim(ALL)).isFalse();
        assertThat(first.read(WIDE).deliveries()).hasSize(3);

        first.release();
        assertThat(second.claim(ALL)).isTrue();
        assertThat(second.read(WIDE).deliveries()).hasSize(3);
    }

    @Test
    void aHolderTakesNoMoreLanesThanItWasTold() throws Exception {
        appendToLanes(1, 2, 3, 4, 5);
        first.claim(2);
        second.claim(ALL);

        assertThat(first.read(WIDE).deliveries()).hasSize(2);
        assertThat(second.read(WIDE).deliveries()).hasSize(3);
    }

    @Test
    void theLanesOfAHolderWhoseConnectionIsLostAreFreeAtOnce() throws Exception {
        appendToLanes(1, 2, 3);
        first.claim(ALL);
        terminate();

        assertThat(second.claim(ALL)).isTrue();
        assertThat(second.read(WIDE).deliveries()).hasSize(3);
        assertThatThrownBy(() -> first.read(WIDE)).isNotNull();
    }

    @Test
    void theServerTakesTheLanesOfAHolderThatIsSilentForTooLong() throws Exception {
        appendToLanes(1);
        try (LaneHolder hangs = new LaneHolder(outbox.store(ClaimMode.LOCK, Duration.ofMillis(200)))) {
            hangs.claim(ALL);

            await().until(() -> second.claim(ALL));
        }
    }

    @Test
    void whatAHolderWritesDownIsThereBeforeItGivesItsLanesBack() throws Exception {
        appendToLanes(1, 2);
        first.claim(ALL);
        first.publishAll(first.read(WIDE));

        assertThat(outbox.count("published_at IS NOT NULL")).isEqualTo(2);
        assertThat(first.read(WIDE).deliveries()).isEmpty();
        assertThat(second.claim(ALL)).isFalse();
        first.release();
        assertThat(second.claim(ALL)).isFalse();
    }

    @Test
    void whatAHolderHasWrittenDownSurvivesTheLossOfItsLanes() throws Exception {
        appendToLanes(1, 2);
        first.claim(ALL);
        DeliveryStore.Batch batch = first.read(WIDE);
        terminate();
        first.publishAll(batch);

        assertThat(outbox.count("published_at IS NOT NULL")).isEqualTo(2);
    }

    private static void appendToLanes(int... lanes) {
        for (int lane : lanes) {
            outbox.append(
                    TestOutbox.event("orders", outbox.aggregatesOfLane(lane, 1).get(0))
                            .build());
        }
    }

    /** Ends the one session that holds lanes. */
    private static void terminate() {
        List<Boolean> ended = outbox.jdbc
                .sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND state = 'idle in transaction'")
                .query(Boolean.class)
                .list();
        assertThat(ended).containsExactly(true);
    }
}
