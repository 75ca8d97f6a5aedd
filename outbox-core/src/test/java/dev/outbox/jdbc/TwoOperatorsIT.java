package dev.outbox.jdbc;

import static dev.outbox.jdbc.DecidedRows.ADA;
import static dev.outbox.jdbc.DecidedRows.BOB;
import static dev.outbox.jdbc.DecidedRows.topic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Aggregate;
import dev.outbox.Decision;
import dev.outbox.DecisionResult;
import dev.outbox.OutboxOperations;
import dev.outbox.RecordFilter;
import dev.outbox.TestOutbox;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Decisions that meet each other, or a relay, on the same rows at the same time. */
class TwoOperatorsIT {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static final TestOutbox outbox = new TestOutbox();

    private final DecidedRows rows = new DecidedRows(outbox);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterAll
    static void closeOutbox() throws Exception {
        outbox.close();
    }

    @BeforeEach
    void clear() {
        rows.clear();
    }

    @AfterEach
    void close() {
        threads.shutdown();
    }

    @Test
    void aRecordIsRetriedByOneOfThem() throws Exception {
        assertDecidedOnce("true", OutboxOperations::retry, OutboxOperations::retry);
        assertThat(outbox.count("waiting AND parked_at IS NULL AND next_attempt_at IS NOT NULL"))
                .isEqualTo(500);
    }

    @Test
    void aRecordIsRetriedOrDiscarded() throws Exception {
        assertDecidedOnce("true", OutboxOperations::retry, OutboxOperations::discard);
        assertThat(outbox.count("waiting AND parked_at IS NULL AND discarded_at IS NULL")
                        + outbox.count("NOT waiting AND parked_at IS NOT NULL AND discarded_at IS NOT NULL"))
                .isEqualTo(500);
    }

    @Test
    void aRecordIsPublishedAgainOnceHoweverQuickTheRelayIs() throws Exception {
        rows.appendMany("orders", 500);
        rows.publish("true");
        try (Barrier barrier = new Barrier()) {
            Future<DecisionResult> ada = start(OutboxOperations::republish, ADA);
            barrier.awaitWaiting(1);
            rows.set("published_at = clock_timestamp()", "seq <= 200");
            barrier.open();
            assertThat(ada.get(LIMIT.toSeconds(), TimeUnit.SECONDS).seqs())
                    .isEqualTo(LongStream.rangeClosed(201, 500).boxed().toList());
        }
        rows.clear();
        assertDecidedOnce("false", OutboxOperations::republish, OutboxOperations::republish);
        assertThat(outbox.count("waiting AND published_at IS NULL AND next_attempt_at IS NOT NULL"))
                .isEqualTo(500);
    }

    /** Both have found all the records before one may write. */
    private void assertDecidedOnce(String parked, Decide first, Decide second) throws Exception {
        rows.appendMany("orders", 500);
        rows.park(parked);
        rows.publish("NOT " + parked);
        Future<DecisionResult> ada;
        Future<DecisionResult> bob;
        try (Barrier barrier = new Barrier()) {
            ada = start(first, ADA);
            bob = start(second, BOB);
            barrier.awaitWaiting(2);
        }
        List<Long> decided = Stream.of(ada, bob)
                .flatMap(future -> result(future).seqs().stream())
                .toList();
        assertThat(decided).hasSize(500).doesNotHaveDuplicates();
        assertThat(rows.audit())
                .singleElement()
                .satisfies(
                        entry -> assertThat(entry.target().seqs()).hasSize(500).doesNotHaveDuplicates());
    }

    @Test
    void operatorsOnManyThreadsNeverDeadlock() throws Exception {
        rows.appendMany("orders", 2_000);
        rows.park("seq % 2 = 0");
        rows.publish("seq % 2 = 1");
        List<Callable<DecisionResult>> all = LongStream.range(0, 8)
                .<Callable<DecisionResult>>mapToObj(i -> () -> i % 2 == 0
                        ? rows.operations().retry(topic("orders"), ADA)
                        : rows.operations().republish(topic("orders"), BOB))
                .toList();
        for (Future<DecisionResult> future : threads.invokeAll(all)) {
            result(future);
        }
        assertThat(outbox.count("waiting AND next_attempt_at IS NOT NULL")).isEqualTo(2_000);
        assertThat(rows.audit().stream().flatMap(entry -> entry.target().seqs().stream()))
                .hasSize(2_000)
                .doesNotHaveDuplicates();
    }

    /** A relay that writes outcomes may hold a row and then want the lane, which an operator takes first. */
    @Test
    void anOperatorGivesWayToARelayThatWantsItsLane() throws Exception {
        String aggregate = outbox.aggregatesOfLane(3, 1).get(0);
        rows.append("orders", aggregate, aggregate);
        rows.publish("seq = 1");
        rows.set("waiting = true, next_attempt_at = now() + interval '1 hour'", "seq = 2");
        CountDownLatch operatorHoldsTheLane = new CountDownLatch(1);

        CountDownLatch rowHeld = new CountDownLatch(1);
        Future<Boolean> relay = threads.submit(() -> outbox.transaction.execute(status -> {
            rows.set("published_at = now(), next_attempt_at = NULL", "seq = 2");
            rowHeld.countDown();
            join(operatorHoldsTheLane);
            new WaitingQueue(outbox.jdbc, TestOutbox.DEFAULT_NAMES).lock(List.of(3));
            return true;
        }));
        join(rowHeld);
        Future<DecisionResult> operator = start(OutboxOperations::republish, RecordFilter.ofSeqs(1L), ADA);
        await().atMost(LIMIT).until(() -> locks("NOT granted AND locktype = 'transactionid'") == 1);
        operatorHoldsTheLane.countDown();

        assertThat(relay.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(result(operator).seqs()).containsExactly(1L);
        assertThat(rows.states(1, 2)).containsExactly("waiting due attempts 0", "published waiting attempts 0");
    }

    private Future<DecisionResult> start(Decide decide, Decision decision) {
        return start(decide, topic("orders"), decision);
    }

    private Future<DecisionResult> start(Decide decide, RecordFilter filter, Decision decision) {
        return threads.submit(() -> decide.decide(rows.operations(), filter, decision));
    }

    private static DecisionResult result(Future<DecisionResult> future) {
        try {
            return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void join(CountDownLatch latch) {
        try {
            assertThat(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static long locks(String condition) {
        return outbox.jdbc
                .sql("SELECT count(*) FROM pg_locks WHERE " + condition
                        + " AND (database IS NULL OR database = (SELECT oid FROM pg_database"
                        + " WHERE datname = current_database()))")
                .query(Long.class)
                .single();
    }

    /** One of the decisions on records. */
    private interface Decide {

        DecisionResult decide(OutboxOperations operations, RecordFilter filter, Decision decision);
    }

    /** Holds every lane, so that operators stand before their first write. */
    private final class Barrier implements AutoCloseable {

        private final CountDownLatch open = new CountDownLatch(1);
        private final Future<Boolean> holder;

        private Barrier() {
            CountDownLatch held = new CountDownLatch(1);
            holder = threads.submit(() -> outbox.transaction.execute(status -> {
                new WaitingQueue(outbox.jdbc, TestOutbox.DEFAULT_NAMES)
                        .lock(LongStream.range(0, Aggregate.LANES)
                                .mapToObj(lane -> (int) lane)
                                .toList());
                held.countDown();
                join(open);
                return true;
            }));
            join(held);
        }

        private void awaitWaiting(int operators) {
            await().atMost(LIMIT).until(() -> locks("NOT granted AND locktype = 'advisory'") == operators);
        }

        private void open() {
            open.countDown();
        }

        @Override
        public void close() throws Exception {
            open();
            holder.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }
}
