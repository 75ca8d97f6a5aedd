package dev.outbox.jdbc;

import static dev.outbox.jdbc.Rows.seqs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.BatchLimits;
import dev.outbox.Delivery;
import dev.outbox.Event;
import dev.outbox.OpenTransaction;
import dev.outbox.Outcome;
import dev.outbox.TestOutbox;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What commits late, below what one claim has read already. */
class LateCommitIT {

    private static final BatchLimits WIDE = new BatchLimits(10_000, 10_000_000);

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
        outbox.jdbc.sql("UPDATE outbox_lane SET floor = 0").update();
    }

    @AfterEach
    void close() {
        relay.close();
    }

    @Test
    void isReadByTheSameClaim() throws Exception {
        try (OpenTransaction late = OpenTransaction.begin(outbox)) {
            late.run(() -> outbox.writer.append(event(0)));
            rows.append(List.of(lane.get(1)));
            relay.claim(64);
            assertThat(read(WIDE)).containsExactly(2L);
            assertThat(read(WIDE)).isEmpty();

            late.commit();
            assertThat(read(WIDE)).containsExactly(1L);
            assertThat(read(WIDE)).isEmpty();
        }
    }

    @Test
    void isReadBeforeWhatItsAggregateGotAfterIt() throws Exception {
        try (OpenTransaction late = OpenTransaction.begin(outbox)) {
            late.run(() -> outbox.writer.append(event(0)));
            rows.append(List.of(lane.get(1)));
            relay.claim(64);
            assertThat(read(WIDE)).containsExactly(2L);

            late.commit();
            rows.append(List.of(lane.get(2), lane.get(0)));
            assertThat(read(new BatchLimits(1, 1_000))).containsExactly(1L);
            assertThat(read(WIDE)).containsExactly(3L, 4L);
        }
    }

    @Test
    void isReadToItsEndBeforeAnythingAboveHoweverMuchItIs() throws Exception {
        try (OpenTransaction late = OpenTransaction.begin(outbox)) {
            late.run(() -> outbox.writer.appendAll(
                    IntStream.range(0, 20).mapToObj(i -> event(0)).toList()));
            rows.append(List.of(lane.get(1)));
            relay.claim(64);
            assertThat(read(WIDE)).containsExactly(21L);

            late.commit();
            rows.append(List.of(lane.get(0)));
            List<Long> all = new ArrayList<>();
            for (List<Long> read = read(new BatchLimits(3, 1_000)); !read.isEmpty(); ) {
                all.addAll(read);
                read = read(new BatchLimits(3, 1_000));
            }
            assertThat(all).containsExactlyElementsOf(expectedLate());
        }
    }

    @Test
    void isReadWhenItsTransactionGotItsIdFirstAndNothingAboveHadEnded() throws Exception {
        try (OpenTransaction first = OpenTransaction.begin(outbox);
                OpenTransaction second = OpenTransaction.begin(outbox);
                OpenTransaction third = OpenTransaction.begin(outbox)) {
            first.run(() -> outbox.writer.append(event(0)));
            second.run(() -> outbox.writer.append(event(1)));
            third.run(() -> outbox.writer.append(event(2)));
            first.commit();
            relay.claim(64);
            assertThat(read(WIDE)).containsExactly(1L);

            third.commit();
            assertThat(read(WIDE)).containsExactly(3L);
            second.commit();
            assertThat(read(WIDE)).containsExactly(2L);
        }
    }

    /** The snapshot of the first read ends below the late transaction's id, so it does not name it as running. */
    @Test
    void isReadWhenTheSnapshotThatMissedItDidNotKnowItsTransaction() throws Exception {
        try (OpenTransaction early = OpenTransaction.begin(outbox);
                OpenTransaction late = OpenTransaction.begin(outbox)) {
            early.run(() -> outbox.jdbc
                    .sql("SELECT pg_current_xact_id()::text")
                    .query(String.class)
                    .single());
            late.run(() -> outbox.writer.append(event(0)));
            early.run(() -> outbox.writer.append(event(1)));
            early.commit();
            relay.claim(64);
            assertThat(read(WIDE)).containsExactly(2L);

            late.commit();
            assertThat(read(WIDE)).containsExactly(1L);
        }
    }

    @Test
    void keepsTheFloorBelowItUntilItHasEnded() throws Exception {
        try (OpenTransaction late = OpenTransaction.begin(outbox)) {
            late.run(() -> outbox.writer.append(event(0)));
            appendMany(JdbcClaim.FLOOR_STEP + 100);
            drain();
            assertThat(floor()).isZero();

            late.commit();
            drain();
            assertThat(outbox.count("published_at IS NULL")).isZero();
        }
        appendMany(JdbcClaim.FLOOR_STEP + 100);
        drain();
        assertThat(outbox.count("published_at IS NULL")).isZero();
        assertThat(floor()).isGreaterThan(JdbcClaim.FLOOR_STEP);
    }

    @Test
    void aFloorOfAnotherLifeOfTheTablesHidesNothing() throws Exception {
        appendMany(2 * JdbcClaim.FLOOR_STEP);
        drain();
        assertThat(floor()).isPositive();
        outbox.clear();

        rows.append(List.of(lane.get(0)));
        relay.claim(64);
        assertThat(read(WIDE)).containsExactly(1L);
    }

    @Test
    void whatStandsBelowAFloorByMistakeIsFoundByTheNextRelayThatStarts() throws Exception {
        rows.append(List.of(lane.get(0), lane.get(0)));
        outbox.jdbc.sql("UPDATE outbox_lane SET floor = 1").update();
        relay.claim(64);
        relay.release();
        outbox.jdbc.sql("UPDATE outbox_lane SET floor = 1").update();

        try (LaneHolder another = new LaneHolder(outbox.store())) {
            another.claim(64);
            assertThat(seqs(another.read(WIDE).deliveries())).containsExactly(1L, 2L);
        }
    }

    /** Many open transactions that commit in any order, against a claim that reads and marks all the time. */
    @Test
    void nothingIsLostReadTwiceOrReadInTheWrongOrderUnderManyTransactions() throws Exception {
        Random random = new Random(7);
        Map<Integer, OpenTransaction> open = new HashMap<>();
        List<Delivery> read = new ArrayList<>();
        rows.append(List.of(lane.get(29)));
        relay.claim(64);
        for (int step = 0; step < 300; step++) {
            int aggregate = random.nextInt(6);
            int kind = random.nextInt(4);
            if (kind == 0 && !open.containsKey(aggregate)) {
                OpenTransaction transaction = OpenTransaction.begin(outbox);
                transaction.run(() -> outbox.writer.append(event(aggregate)));
                open.put(aggregate, transaction);
            } else if (kind == 1 && open.containsKey(aggregate)) {
                try (OpenTransaction ends = open.remove(aggregate)) {
                    ends.commit();
                }
            } else {
                List<Delivery> batch = relay.read(new BatchLimits(1 + random.nextInt(3), 10_000))
                        .deliveries();
                read.addAll(batch);
                if (random.nextBoolean()) {
                    relay.record(batch.stream().map(Outcome::published).toList());
                }
            }
        }
        for (OpenTransaction transaction : open.values()) {
            transaction.commit();
            transaction.close();
        }
        read.addAll(relay.read(WIDE).deliveries());
        read.addAll(relay.read(WIDE).deliveries());

        assertThat(seqs(read)).doesNotHaveDuplicates();
        assertThat(read).hasSize((int) outbox.count("true"));
        Map<Long, Long> last = new HashMap<>();
        for (Delivery delivery : read) {
            assertThat(delivery.seq()).isGreaterThan(last.getOrDefault(delivery.aggregateHash(), 0L));
            last.put(delivery.aggregateHash(), delivery.seq());
        }
    }

    private static List<Long> expectedLate() {
        return LongStream.concat(LongStream.rangeClosed(1, 20), LongStream.of(22))
                .boxed()
                .toList();
    }

    private List<Long> read(BatchLimits limits) throws Exception {
        return seqs(relay.read(limits).deliveries());
    }

    private void appendMany(int count) {
        outbox.transaction.executeWithoutResult(status -> outbox.writer.appendAll(
                IntStream.range(0, count).mapToObj(i -> event(1 + i % 20)).toList()));
    }

    private void drain() throws Exception {
        while (relay.claim(64)) {
            for (var batch = relay.read(WIDE); !batch.deliveries().isEmpty(); batch = relay.read(WIDE)) {
                relay.publishAll(batch);
            }
            relay.release();
        }
    }

    private long floor() {
        return outbox.jdbc
                .sql("SELECT floor FROM outbox_lane WHERE lane = 3")
                .query(Long.class)
                .single();
    }

    private Event event(int aggregate) {
        return TestOutbox.event("orders", lane.get(aggregate)).build();
    }
}
