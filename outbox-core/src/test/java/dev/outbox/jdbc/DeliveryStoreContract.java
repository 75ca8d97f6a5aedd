package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.BatchLimits;
import dev.outbox.DeliveryStore;
import dev.outbox.TestOutbox;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who holds a lane, and for how long, whatever holds it. */
abstract class DeliveryStoreContract {

    static final int ALL = 64;
    static final BatchLimits WIDE = new BatchLimits(1_000, 1_000_000);

    static final TestOutbox outbox = new TestOutbox();

    final LaneHolder first = new LaneHolder(store());
    final LaneHolder second = new LaneHolder(store());

    abstract ClaimMode mode();

    final DeliveryStore store() {
        return outbox.store(mode(), Duration.ofMinutes(1));
    }

    @BeforeEach
    void clear() {
        outbox.clear();
        outbox.jdbc
                .sql("UPDATE outbox_lane SET leased_until = NULL, owner = NULL; DELETE FROM outbox_lane_request")
                .update();
    }

    @AfterEach
    void close() throws Exception {
        first.close();
        second.close();
    }

    @Test
    void claimsNothingWhenNothingIsToBePublished() throws Exception {
        assertThat(store().hasWork()).isFalse();
        assertThat(first.claim(ALL)).isFalse();
    }

    @Test
    void aLaneHasOneHolderAndTheOthersDoNotWaitForIt() throws Exception {
        appendToLanes(1, 2, 3);
        assertThat(store().hasWork()).isTrue();
        assertThat(first.claim(ALL)).isTrue();
        assertThat(second.claim(ALL)).isFalse();
        assertThat(store().hasWork()).isTrue();
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
    void aHolderCanTakeFurtherLanesButNoneThatItHolds() throws Exception {
        appendToLanes(1, 2, 3);
        first.claim(1);
        assertThat(first.lanes()).hasSize(1);
        first.extend(1);
        assertThat(first.lanes()).hasSize(2).doesNotHaveDuplicates();
        second.claim(ALL);
        assertThat(second.lanes()).hasSize(1);
        first.extend(ALL);

        assertThat(first.lanes()).hasSize(2);
        assertThat(first.read(WIDE).deliveries()).hasSize(2);
    }

    @Test
    void aSetIsTakenAsAWholeOrNotAtAll() throws Exception {
        appendToLanes(17, 40);
        first.claimSet(16);
        second.claimSet(16);
        assertThat(List.of(lowest(first), lowest(second))).containsExactlyInAnyOrder(16, 32);
        assertThat(first.lanes()).hasSize(16);

        first.release();
        second.release();
        appendToLanes(0);
        first.claim(1);
        int held = first.lanes().get(0) / 16 * 16;
        for (int attempt = 0; attempt < 20; attempt++) {
            if (second.claimSet(16)) {
                assertThat(lowest(second)).isNotEqualTo(held);
                second.release();
            }
        }
    }

    @Test
    void aLaneThatSomebodyAskedForIsLeftToIt() throws Exception {
        appendToLanes(1, 2, 3);
        first.claim(ALL);
        second.request(2);
        first.release();

        first.claim(ALL);
        second.claim(ALL);
        assertThat(first.lanes()).hasSize(1);
        assertThat(second.lanes()).hasSize(2);
        second.release();
        second.claim(ALL);
        assertThat(requests()).isZero();
    }

    @Test
    void thoseWhoAskAndClaimAtOnceDoNotDeadlock() throws Exception {
        appendToLanes(IntStream.range(0, ALL).toArray());
        Callable<Void> asker = () -> {
            DeliveryStore store = store();
            for (int round = 0; round < 50; round++) {
                store.request(ALL);
                store.claim(ALL).close();
            }
            return null;
        };
        ExecutorService askers = Executors.newFixedThreadPool(3);
        try {
            for (Future<Void> asked : askers.invokeAll(List.of(asker, asker, asker))) {
                asked.get();
            }
        } finally {
            askers.shutdownNow();
        }
    }

    @Test
    void aRequestIsForgottenAfterAWhile() throws Exception {
        appendToLanes(1, 2, 3);
        first.request(ALL);
        assertThat(requests()).isEqualTo(3);
        outbox.jdbc
                .sql("UPDATE outbox_lane_request SET requested_at = requested_at - interval '10 seconds'")
                .update();

        assertThat(second.claim(ALL)).isTrue();
        assertThat(second.lanes()).hasSize(3);
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
    void handsOutNothingTwice() throws Exception {
        appendToLanes(1, 2);
        first.claim(ALL);
        assertThat(first.read(WIDE).deliveries()).hasSize(2);
        assertThat(first.read(WIDE).deliveries()).isEmpty();
        appendToLanes(1);

        assertThat(first.read(WIDE).deliveries()).hasSize(1);
    }

    @Test
    void handsOutNoMoreOfALaneThanIsAllowedUntilSomeOfItIsWrittenDown() throws Exception {
        appendToLanes(1, 1, 1, 1, 2);
        first.claim(ALL);
        BatchLimits limits = new BatchLimits(100, 1_000_000, 2);
        DeliveryStore.Batch batch = first.read(limits);
        assertThat(batch.deliveries()).extracting("lane").containsExactly(1, 1, 2);
        assertThat(batch.full()).isTrue();
        assertThat(first.read(limits).deliveries()).isEmpty();
        first.publishAll(batch);

        assertThat(first.read(limits).deliveries()).extracting("lane").containsExactly(1, 1);
    }

    @Test
    void aRelayThatIsPausedClaimsNothingAndAPausedTopicIsTold() throws Exception {
        appendToLanes(1);
        outbox.jdbc
                .sql("INSERT INTO outbox_pause (topic, actor, reason) VALUES ('orders', 'test', 'test')")
                .update();
        first.claim(ALL);
        assertThat(first.pausedTopics()).containsExactly("orders");
        first.release();
        outbox.jdbc.sql("UPDATE outbox_pause SET topic = ''").update();

        assertThat(store().hasWork()).isFalse();
        assertThat(first.claim(ALL)).isFalse();
        outbox.jdbc.sql("DELETE FROM outbox_pause").update();
        assertThat(first.claim(ALL)).isTrue();
    }

    static void appendToLanes(int... lanes) {
        IntStream.of(lanes)
                .forEach(lane -> outbox.append(TestOutbox.event(
                                "orders", outbox.aggregatesOfLane(lane, 1).get(0))
                        .build()));
    }

    static void awaitClaim(LaneHolder holder) {
        await().until(() -> holder.claim(ALL));
    }

    private static int lowest(LaneHolder holder) throws Exception {
        return holder.lanes().stream().min(Integer::compare).orElseThrow();
    }

    private static long requests() {
        return outbox.jdbc
                .sql("SELECT count(*) FROM outbox_lane_request")
                .query(Long.class)
                .single();
    }
}
