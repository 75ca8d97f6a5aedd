package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Aggregate;
import dev.outbox.Backlog;
import dev.outbox.BatchLimits;
import dev.outbox.Delivery;
import dev.outbox.Outcome;
import dev.outbox.TestOutbox;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is read, what waits, and what brings it back. */
class WaitingRecordsIT {

    private static final BatchLimits WIDE = new BatchLimits(10_000, 10_000_000);
    private static final Duration NOW = Duration.ZERO;
    private static final Duration LATER = Duration.ofHours(1);

    private static final TestOutbox outbox = new TestOutbox();

    private final LaneHolder relay = new LaneHolder(outbox.store());
    private final List<String> lane = outbox.aggregatesOfLane(3, 30);

    @AfterAll
    static void closeOutbox() throws Exception {
        outbox.close();
    }

    @BeforeEach
    void clear() {
        outbox.clear();
    }

    @AfterEach
    void close() {
        relay.close();
    }

    @Test
    void readsWhatWasAppendedInItsOrder() throws Exception {
        append(lane.get(0), lane.get(1), lane.get(0));
        List<Delivery> read = relay.pass(WIDE, Outcome::published);

        assertThat(seqs(read)).containsExactly(1L, 2L, 3L);
        Delivery delivery = read.get(0);
        assertThat(delivery.aggregateHash()).isEqualTo(new Aggregate("order", lane.get(0), null).hash());
        assertThat(delivery.lane()).isEqualTo(3);
        assertThat(delivery.attempts()).isZero();
        assertThat(delivery.event().aggregate().id()).isEqualTo(lane.get(0));
    }

    @Test
    void readsNoMoreRecordsThanAllowedHoweverManyLanes() throws Exception {
        for (int i = 0; i < 40; i++) {
            append("a" + i);
        }
        assertThat(seqs(relay.pass(new BatchLimits(1, 1_000), Outcome::published)))
                .containsExactly(1L);
        assertThat(relay.pass(new BatchLimits(7, 1_000), Outcome::published)).hasSize(7);
    }

    @Test
    void theLimitOnBytesLeavesABeginningOfEveryAggregate() throws Exception {
        append(lane.get(0), 400);
        append(lane.get(1), 400);
        append(lane.get(0), 400);
        append(lane.get(1), 1);

        assertThat(seqs(relay.pass(new BatchLimits(100, 1_000), delivery -> null)))
                .containsExactly(1L, 2L);
        assertThat(seqs(relay.pass(new BatchLimits(100, 1_200), delivery -> null)))
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void readsASingleRecordThatIsLargerThanTheLimitAlone() throws Exception {
        append(lane.get(0), 10);
        append(lane.get(1), 5_000);
        append(lane.get(2), 10);

        BatchLimits limits = new BatchLimits(100, 1_000);
        assertThat(seqs(relay.pass(limits, Outcome::published))).containsExactly(1L);
        assertThat(seqs(relay.pass(limits, Outcome::published))).containsExactly(2L);
        assertThat(seqs(relay.pass(limits, Outcome::published))).containsExactly(3L);
    }

    @Test
    void aFailedRecordIsReadAgainWhenItIsDueAndCountsItsAttempts() throws Exception {
        append(lane.get(0));
        relay.pass(WIDE, delivery -> LaneHolder.failed(delivery, Outcome.State.RETRY, LATER));
        assertThat(relay.pass(WIDE, Outcome::published)).isEmpty();

        makeDue();
        List<Delivery> second = relay.pass(WIDE, delivery -> LaneHolder.failed(delivery, Outcome.State.DEFERRED, NOW));
        List<Delivery> third = relay.pass(WIDE, Outcome::published);
        assertThat(second.get(0).attempts()).isEqualTo(1);
        assertThat(third.get(0).attempts()).isEqualTo(1);
        assertThat(outbox.count("published_at IS NOT NULL AND next_attempt_at IS NULL AND last_error IS NULL"))
                .isEqualTo(1);
    }

    @Test
    void whatStandsBehindAFailedRecordIsSetAsideOnceAndNeverTouchedAgain() throws Exception {
        append(lane.get(0), lane.get(0), lane.get(0));
        relay.pass(WIDE, failFirst(Outcome.State.PARKED));
        append(lane.get(0), lane.get(1));
        assertThat(seqs(relay.pass(WIDE, delivery -> null))).containsExactly(5L);
        assertThat(outbox.count("waiting")).isEqualTo(4);
        List<Map<String, Object>> places = places();

        append(lane.get(0));
        assertThat(seqs(relay.pass(WIDE, delivery -> null))).containsExactly(5L);
        assertThat(outbox.count("waiting")).isEqualTo(5);
        assertThat(places()).containsAll(places);
        assertThat(seqs(relay.pass(WIDE, Outcome::published))).containsExactly(5L);
        assertThat(relay.claim(64)).isFalse();
    }

    @Test
    void retriesComeBackInOrderWithWhatWaitsBehindThem() throws Exception {
        append(lane.get(0), lane.get(1), lane.get(0), lane.get(0));
        relay.pass(WIDE, failFirst(Outcome.State.RETRY));
        relay.pass(WIDE, Outcome::published);

        makeDue();
        assertThat(seqs(relay.pass(WIDE, Outcome::published))).containsExactly(1L, 3L, 4L);
        assertThat(outbox.count("published_at IS NULL")).isZero();
    }

    @Test
    void publishingTheFirstThatWaitsArmsTheNextOne() throws Exception {
        append(lane.get(0), lane.get(0), lane.get(0));
        relay.pass(WIDE, failFirst(Outcome.State.RETRY));
        relay.pass(WIDE, delivery -> null);
        makeDue();

        relay.pass(WIDE, delivery -> delivery.seq() == 1 ? Outcome.published(delivery) : null);
        assertThat(outbox.count("seq = 2 AND next_attempt_at IS NOT NULL")).isEqualTo(1);
        assertThat(outbox.count("seq = 3 AND next_attempt_at IS NULL")).isEqualTo(1);
        assertThat(seqs(relay.pass(WIDE, Outcome::published))).containsExactly(2L, 3L);
    }

    @Test
    void aRecordSetAsideBehindOneThatWasPublishedMeanwhileIsArmed() throws Exception {
        append(lane.get(0), lane.get(0));
        List<Delivery> read = relay.pass(WIDE, failFirst(Outcome.State.RETRY));
        relay.claimEmpty();
        relay.record(List.of(Outcome.published(read.get(0))));
        Delivery second = read.get(1);

        OutcomeWrites writes = new OutcomeWrites(outbox.jdbc, TestOutbox.DEFAULT_NAMES);
        outbox.transaction.executeWithoutResult(status ->
                writes.setAside(List.of(new ClaimedReads.Place(second.seq(), second.lane(), second.aggregateHash()))));
        relay.release();

        assertThat(outbox.count("seq = 2 AND waiting AND next_attempt_at IS NOT NULL"))
                .isEqualTo(1);
        assertThat(seqs(relay.pass(WIDE, Outcome::published))).containsExactly(2L);
    }

    @Test
    void aParkedRecordArmsNothingAndIsReadByNobody() throws Exception {
        append(lane.get(0), lane.get(0));
        relay.pass(WIDE, failFirst(Outcome.State.PARKED));
        relay.pass(WIDE, delivery -> null);

        assertThat(relay.claim(64)).isFalse();
        assertThat(outbox.count("next_attempt_at IS NOT NULL")).isZero();
        assertThat(outbox.count("seq = 1 AND parked_at IS NOT NULL AND attempts = 1 AND last_error LIKE '%no luck'"))
                .isEqualTo(1);
    }

    @Test
    void aRecordThatIsParkedBehindOneThatSucceededIsNotArmed() throws Exception {
        append(lane.get(0), lane.get(0), lane.get(0));
        relay.pass(WIDE, failFirst(Outcome.State.RETRY));
        relay.pass(WIDE, delivery -> null);
        makeDue();
        relay.pass(
                WIDE,
                delivery -> delivery.seq() == 1
                        ? Outcome.published(delivery)
                        : delivery.seq() == 2 ? LaneHolder.failed(delivery, Outcome.State.PARKED, NOW) : null);

        assertThat(outbox.count("next_attempt_at IS NOT NULL")).isZero();
        assertThat(relay.claim(64)).isFalse();
    }

    @Test
    void retriesTakeAtMostHalfOfARead() throws Exception {
        append(lane.subList(0, 15).toArray(String[]::new));
        relay.pass(WIDE, delivery -> LaneHolder.failed(delivery, Outcome.State.RETRY, NOW));
        append(lane.subList(15, 30).toArray(String[]::new));

        assertThat(seqs(relay.pass(new BatchLimits(10, 1_000), delivery -> null)))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 16L, 17L, 18L, 19L, 20L);
    }

    @Test
    void retriesThatAreDueComeBeforeRecordsThatWereNeverTried() throws Exception {
        append(lane.subList(0, 20).toArray(String[]::new));
        relay.pass(
                WIDE, delivery -> delivery.seq() > 15 ? LaneHolder.failed(delivery, Outcome.State.RETRY, NOW) : null);

        assertThat(seqs(relay.pass(new BatchLimits(10, 1_000), delivery -> null)))
                .containsExactly(16L, 17L, 18L, 19L, 20L, 1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void freshRecordsTakeWhatRetriesLeave() throws Exception {
        append(lane.subList(0, 2).toArray(String[]::new));
        relay.pass(WIDE, delivery -> LaneHolder.failed(delivery, Outcome.State.RETRY, NOW));
        append(lane.subList(15, 30).toArray(String[]::new));

        assertThat(seqs(relay.pass(new BatchLimits(10, 1_000), delivery -> null)))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
    }

    @Test
    void aRecordIsMarkedOnce() throws Exception {
        append(lane.get(0));
        List<Delivery> read = relay.pass(WIDE, Outcome::published);
        List<Map<String, Object>> places = places();
        relay.claimEmpty();
        relay.record(read.stream()
                .map(delivery -> LaneHolder.failed(delivery, Outcome.State.PARKED, NOW))
                .toList());
        relay.record(read.stream().map(Outcome::published).toList());

        assertThat(places()).isEqualTo(places);
    }

    @Test
    void countsWhatIsNotPublished() throws Exception {
        append(lane.get(0), lane.get(0), lane.get(1), lane.get(1), lane.get(2), lane.get(3));
        outbox.jdbc
                .sql("UPDATE outbox_event SET created_at = now() - seq * interval '1 hour'")
                .update();
        assertThat(outbox.store().backlog())
                .satisfies(backlog -> assertCounts(backlog, 6, 0, 0))
                .extracting(Backlog::oldestAge)
                .satisfies(age -> assertThat(age).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(70)));

        relay.pass(WIDE, delivery -> switch ((int) delivery.seq()) {
            case 1 -> LaneHolder.failed(delivery, Outcome.State.PARKED, NOW);
            case 3 -> LaneHolder.failed(delivery, Outcome.State.RETRY, LATER);
            case 5 -> Outcome.published(delivery);
            default -> null;
        });
        relay.pass(WIDE, delivery -> null);
        // 1 is parked and 2 waits behind it; 3 waits for its retry and 4 behind it; 6 is ready.
        assertThat(outbox.store().backlog())
                .satisfies(backlog -> assertCounts(backlog, 4, 3, 1))
                .extracting(Backlog::oldestAge)
                .satisfies(age -> assertThat(age).isBetween(Duration.ofHours(6), Duration.ofHours(7)));
    }

    private static void assertCounts(Backlog backlog, long waiting, long blocked, long parked) {
        assertThat(List.of(backlog.waiting(), backlog.blocked(), backlog.parked()))
                .containsExactly(waiting, blocked, parked);
    }

    private static Function<Delivery, @Nullable Outcome> failFirst(Outcome.State state) {
        return delivery -> delivery.seq() == 1 ? LaneHolder.failed(delivery, state, LATER) : null;
    }

    private static void append(String... aggregateIds) {
        for (String id : aggregateIds) {
            append(id, 2);
        }
    }

    private static void append(String aggregateId, int size) {
        outbox.append(TestOutbox.event("orders", aggregateId)
                .payload(new byte[size], "application/octet-stream")
                .build());
    }

    private static void makeDue() {
        outbox.jdbc
                .sql("UPDATE outbox_delivery SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL")
                .update();
    }

    /** Where each waiting or published row lies: an update moves it. */
    private static List<Map<String, Object>> places() {
        return outbox.jdbc
                .sql("SELECT seq, ctid::text AS place, xmin::text AS writer FROM outbox_delivery"
                        + " WHERE waiting OR published_at IS NOT NULL ORDER BY seq")
                .query()
                .listOfRows();
    }

    private static List<Long> seqs(List<Delivery> deliveries) {
        return deliveries.stream().map(Delivery::seq).toList();
    }
}
