package dev.outbox.jdbc;

import static dev.outbox.jdbc.Rows.seqs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Aggregate;
import dev.outbox.BatchLimits;
import dev.outbox.Delivery;
import dev.outbox.Outcome;
import dev.outbox.TestOutbox;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is read, how much of it, and in which order. */
class ReadIT {

    private static final BatchLimits WIDE = new BatchLimits(10_000, 10_000_000);
    private static final Duration NOW = Duration.ZERO;

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
    void readsWhatWasAppendedInItsOrder() throws Exception {
        rows.append(List.of(lane.get(0), lane.get(1), lane.get(0)));
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
            rows.append("a" + i, 2);
        }
        assertThat(seqs(relay.pass(new BatchLimits(1, 1_000), Outcome::published)))
                .containsExactly(1L);
        assertThat(relay.pass(new BatchLimits(7, 1_000), Outcome::published)).hasSize(7);
    }

    @Test
    void theLimitOnBytesLeavesABeginningOfEveryAggregate() throws Exception {
        rows.append(lane.get(0), 400);
        rows.append(lane.get(1), 400);
        rows.append(lane.get(0), 400);
        rows.append(lane.get(1), 1);

        assertThat(seqs(relay.pass(new BatchLimits(100, 1_000), delivery -> null)))
                .containsExactly(1L, 2L);
        assertThat(seqs(relay.pass(new BatchLimits(100, 1_200), delivery -> null)))
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void readsASingleRecordThatIsLargerThanTheLimitAlone() throws Exception {
        rows.append(lane.get(0), 10);
        rows.append(lane.get(1), 5_000);
        rows.append(lane.get(2), 10);

        BatchLimits limits = new BatchLimits(100, 1_000);
        assertThat(seqs(relay.pass(limits, Outcome::published))).containsExactly(1L);
        assertThat(seqs(relay.pass(limits, Outcome::published))).containsExactly(2L);
        assertThat(seqs(relay.pass(limits, Outcome::published))).containsExactly(3L);
    }

    @Test
    void retriesTakeAtMostHalfOfARead() throws Exception {
        rows.append(lane.subList(0, 15));
        relay.pass(WIDE, delivery -> LaneHolder.failed(delivery, Outcome.State.RETRY, NOW));
        rows.append(lane.subList(15, 30));

        assertThat(seqs(relay.pass(new BatchLimits(10, 1_000), delivery -> null)))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 16L, 17L, 18L, 19L, 20L);
    }

    @Test
    void retriesThatAreDueComeBeforeRecordsThatWereNeverTried() throws Exception {
        rows.append(lane.subList(0, 20));
        relay.pass(
                WIDE, delivery -> delivery.seq() > 15 ? LaneHolder.failed(delivery, Outcome.State.RETRY, NOW) : null);

        assertThat(seqs(relay.pass(new BatchLimits(10, 1_000), delivery -> null)))
                .containsExactly(16L, 17L, 18L, 19L, 20L, 1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void freshRecordsTakeWhatRetriesLeave() throws Exception {
        rows.append(lane.subList(0, 2));
        relay.pass(WIDE, delivery -> LaneHolder.failed(delivery, Outcome.State.RETRY, NOW));
        rows.append(lane.subList(15, 30));

        assertThat(seqs(relay.pass(new BatchLimits(10, 1_000), delivery -> null)))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
    }
}
