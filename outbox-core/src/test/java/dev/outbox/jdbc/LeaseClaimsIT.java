package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.DeliveryStore;
import dev.outbox.Ordering;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LeaseClaimsIT extends DeliveryStoreContract {

    private static final String EXPIRE = "UPDATE outbox_lane SET leased_until = clock_timestamp() - interval '1 ms'"
            + " WHERE leased_until IS NOT NULL";

    @Override
    ClaimMode mode() {
        return ClaimMode.LEASE;
    }

    @Test
    void noTransactionIsOpenWhileLanesAreHeld() throws Exception {
        appendToLanes(1);
        first.claim(ALL);
        first.read(WIDE);

        assertThat(outbox.jdbc
                        .sql("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                + " AND state LIKE 'idle in transaction%'")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Test
    void theLanesOfAHolderThatDiedAreFreeWhenTheLeaseIsOver() throws Exception {
        appendToLanes(1);
        first.claim(ALL);
        assertThat(second.claim(ALL)).isFalse();
        outbox.jdbc.sql(EXPIRE).update();

        assertThat(second.claim(ALL)).isTrue();
    }

    @Test
    void aHolderWhoseLaneWasTakenCanWriteNothingAnyMore() throws Exception {
        appendToLanes(1);
        first.claim(ALL);
        DeliveryStore.Batch batch = first.read(WIDE);
        outbox.jdbc.sql(EXPIRE).update();
        second.claim(ALL);

        assertThatThrownBy(() -> first.publishAll(batch))
                .rootCause()
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("0 of 1 leases");
        assertThat(outbox.count("published_at IS NOT NULL")).isZero();
        assertThat(first.isHeld()).isFalse();
        first.release();
        assertThat(first.claim(ALL)).isFalse();
        second.publishAll(second.read(WIDE));
    }

    @Test
    void aHolderWhoseLeaseRanOutAndThatNobodyReplacedCanStillWriteDownWhatItKnows() throws Exception {
        appendToLanes(1);
        first.claim(ALL);
        DeliveryStore.Batch batch = first.read(WIDE);
        outbox.jdbc.sql(EXPIRE).update();
        first.publishAll(batch);

        assertThat(outbox.count("published_at IS NOT NULL")).isEqualTo(1);
    }

    @Test
    void aLeaseIsRenewedWhileItIsHeldAndNotAfterwards() throws Exception {
        appendToLanes(1);
        try (LaneHolder holder = new LaneHolder(outbox.store(mode(), Duration.ofSeconds(2)))) {
            holder.claim(ALL);
            Instant begun = leasedUntil();
            await().until(() -> leasedUntil().isAfter(begun.plusSeconds(2)));
            assertThat(second.claim(ALL)).isFalse();
            assertThat(holder.isHeld()).isTrue();
            holder.release();
            assertThat(second.claim(ALL)).isTrue();
        }
    }

    @Test
    void aLeaseThatDoesNotOutlastPublishingIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoreSettings(
                        mode(), Duration.ofSeconds(35), Duration.ofSeconds(35), Ordering.STRICT, false))
                .withMessageContaining("lease: 35000 ms, but publishing a record may take 35000 ms");
    }

    private static Instant leasedUntil() {
        return outbox.jdbc
                .sql("SELECT max(leased_until) FROM outbox_lane")
                .query((row, number) -> row.getTimestamp(1).toInstant())
                .single();
    }
}
