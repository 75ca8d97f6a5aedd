package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.DeliveryStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockClaimsIT extends DeliveryStoreContract {

    @Override
    ClaimMode mode() {
        return ClaimMode.LOCK;
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
        try (LaneHolder hangs = new LaneHolder(outbox.store(mode(), Duration.ofMillis(200)))) {
            hangs.claim(ALL);

            awaitClaim(second);
            assertThat(hangs.isHeld()).isFalse();
        }
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

    @Test
    void aLeasedLaneIsLeftAlone() throws Exception {
        appendToLanes(1);
        try (LaneHolder leases = new LaneHolder(outbox.store(ClaimMode.LEASE, Duration.ofMinutes(1)))) {
            leases.claim(ALL);
            assertThat(first.claim(ALL)).isFalse();
            leases.release();
            first.claim(ALL);
            assertThat(leases.claim(ALL)).isFalse();
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
