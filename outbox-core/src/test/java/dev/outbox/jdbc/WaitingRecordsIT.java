package dev.outbox.jdbc;

import static dev.outbox.jdbc.Rows.seqs;
import static org.assertj.core.api.Assertions.assertThat;

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

/** What waits, and what brings it back. */
class WaitingRecordsIT {

    private static final BatchLimits WIDE = new BatchLimits(10_000, 10_000_000);
    private static final Duration NOW = Duration.ZERO;
    private static final Duration LATER = Duration.ofHours(1);

    private static final TestOutbox outbox = new TestOutbox();

    private final Rows rows = new Rows(outbox);
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
    void aFailedRecordIsReadAgainWhenItIsDueAndCountsItsAttempts() throws Exception {
        rows.append(List.of(lane.get(0)));
        relay.pass(WIDE, delivery -> LaneHolder.failed(delivery, Outcome.State.RETRY, LATER));
        assertThat(relay.pass(WIDE, Outcome::published)).isEmpty();

        rows.makeDue();
        List<Delivery> second = relay.pass(WIDE, delivery -> LaneHolder.failed(delivery, Outcome.State.DEFERRED, NOW));
        List<Delivery> third = relay.pass(WIDE, Outcome::published);
        assertThat(second.get(0).attempts()).isEqualTo(1);
        assertThat(third.get(0).attempts()).isEqualTo(1);
        assertThat(outbox.count("published_at IS NOT NULL AND next_attempt_at IS NULL AND last_error IS NULL"))
                .isEqualTo(1);
    }

    @Test
    void whatStandsBehindAFailedRecordIsSetAsideOnceAndNeverTouchedAgain() throws Exception {
        rows.append(List.of(lane.get(0), lane.get(0), lane.get(0)));
        relay.pass(WIDE, failFirst(Outcome.State.PARKED));
        rows.append(List.of(lane.get(0), lane.get(1)));
        assertThat(seqs(relay.pass(WIDE, delivery -> null))).containsExactly(5L);
        assertThat(outbox.count("waiting")).isEqualTo(4);
        List<Map<String, Object>> places = rows.places();

        rows.append(List.of(lane.get(0)));
        assertThat(seqs(relay.pass(WIDE, delivery -> null))).containsExactly(5L);
        assertThat(outbox.count("waiting")).isEqualTo(5);
        assertThat(rows.places()).containsAll(places);
        assertThat(seqs(relay.pass(WIDE, Outcome::published))).containsExactly(5L);
        assertThat(relay.claim(64)).isFalse();
    }

    @Test
    void retriesComeBackInOrderWithWhatWaitsBehindThem() throws Exception {
        rows.append(List.of(lane.get(0), lane.get(1), lane.get(0), lane.get(0)));
        relay.pass(WIDE, failFirst(Outcome.State.RETRY));
        relay.pass(WIDE, Outcome::published);

        rows.makeDue();
        assertThat(seqs(relay.pass(WIDE, Outcome::published))).containsExactly(1L, 3L, 4L);
        assertThat(outbox.count("published_at IS NULL")).isZero();
    }

    @Test
    void publishingTheFirstThatWaitsArmsTheNextOne() throws Exception {
        rows.append(List.of(lane.get(0), lane.get(0), lane.get(0)));
        relay.pass(WIDE, failFirst(Outcome.State.RETRY));
        relay.pass(WIDE, delivery -> null);
        rows.makeDue();

        relay.pass(WIDE, delivery -> delivery.seq() == 1 ? Outcome.published(delivery) : null);
        assertThat(outbox.count("seq = 2 AND next_attempt_at IS NOT NULL")).isEqualTo(1);
        assertThat(outbox.count("seq = 3 AND next_attempt_at IS NULL")).isEqualTo(1);
        assertThat(seqs(relay.pass(WIDE, Outcome::published))).containsExactly(2L, 3L);
    }

    @Test
    void aRecordSetAsideBehindOneThatWasPublishedMeanwhileIsArmed() throws Exception {
        rows.append(List.of(lane.get(0), lane.get(0)));
        List<Delivery> read = relay.pass(WIDE, failFirst(Outcome.State.RETRY));
        relay.claim(1);
        relay.record(List.of(Outcome.published(read.get(0))));
        Delivery second = read.get(1);

        OutcomeWrites writes = new OutcomeWrites(outbox.jdbc, TestOutbox.DEFAULT_NAMES, false);
        outbox.transaction.executeWithoutResult(
                status -> writes.setAside(List.of(new Place(second.seq(), second.lane(), second.aggregateHash()))));
        relay.release();

        assertThat(outbox.count("seq = 2 AND waiting AND next_attempt_at IS NOT NULL"))
                .isEqualTo(1);
        assertThat(seqs(relay.pass(WIDE, Outcome::published))).containsExactly(2L);
    }

    @Test
    void aParkedRecordArmsNothingAndIsReadByNobody() throws Exception {
        rows.append(List.of(lane.get(0), lane.get(0)));
        relay.pass(WIDE, failFirst(Outcome.State.PARKED));
        relay.pass(WIDE, delivery -> null);

        assertThat(relay.claim(64)).isFalse();
        assertThat(outbox.count("next_attempt_at IS NOT NULL")).isZero();
        assertThat(outbox.count("seq = 1 AND parked_at IS NOT NULL AND attempts = 1 AND last_error LIKE '%no luck'"))
                .isEqualTo(1);
    }

    @Test
    void aRecordThatIsParkedBehindOneThatSucceededIsNotArmed() throws Exception {
        rows.append(List.of(lane.get(0), lane.get(0), lane.get(0)));
        relay.pass(WIDE, failFirst(Outcome.State.RETRY));
        relay.pass(WIDE, delivery -> null);
        rows.makeDue();
        relay.pass(
                WIDE,
                delivery -> delivery.seq() == 1
                        ? Outcome.published(delivery)
                        : delivery.seq() == 2 ? LaneHolder.failed(delivery, Outcome.State.PARKED, NOW) : null);

        assertThat(outbox.count("next_attempt_at IS NOT NULL")).isZero();
        assertThat(relay.claim(64)).isFalse();
    }

    @Test
    void aRecordIsMarkedOnce() throws Exception {
        rows.append(List.of(lane.get(0)));
        List<Delivery> read = relay.pass(WIDE, Outcome::published);
        List<Map<String, Object>> places = rows.places();
        rows.append(List.of(lane.get(1)));
        relay.claim(1);
        relay.record(read.stream()
                .map(delivery -> LaneHolder.failed(delivery, Outcome.State.PARKED, NOW))
                .toList());
        relay.record(read.stream().map(Outcome::published).toList());

        assertThat(rows.places()).isEqualTo(places);
    }

    @Test
    void countsWhatIsNotPublished() throws Exception {
        rows.append(List.of(lane.get(0), lane.get(0), lane.get(1), lane.get(1), lane.get(2), lane.get(3)));
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
}
