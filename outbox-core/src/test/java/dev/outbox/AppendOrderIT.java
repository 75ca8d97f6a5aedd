package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of two transactions that append to one aggregate, the one with the lower numbers commits first. */
class AppendOrderIT {

    /** What a stock server has for all its sessions is 6,400. */
    private static final long FEW_LOCKS = 400;

    private static final String ADVISORY_LOCKS =
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database ="
                    + " (SELECT oid FROM pg_database WHERE datname = current_database())";

    private static final TestOutbox outbox = new TestOutbox();

    @AfterAll
    static void close() throws Exception {
        outbox.close();
    }

    @BeforeEach
    void clear() {
        outbox.clear();
    }

    @Test
    void aSecondTransactionOfTheAggregateWaitsForTheFirstAndComesAfterIt() throws Exception {
        try (OpenTransaction first = OpenTransaction.begin(outbox);
                OpenTransaction second = OpenTransaction.begin(outbox)) {
            UUID early = first.run(() -> outbox.writer.append(event("a")));
            CompletableFuture<UUID> waiting = second.start(() -> outbox.writer.append(event("a")));
            awaitBlocked();
            UUID between = first.run(() -> outbox.writer.append(event("a")));
            assertThat(waiting).isNotDone();

            first.commit();
            UUID late = OpenTransaction.result(waiting);
            second.commit();
            assertThat(idsBySeq()).containsExactly(early, between, late);
        }
    }

    @Test
    void otherAggregatesDoNotWaitNotEvenInTheSameLane() throws Exception {
        List<String> sameLane = outbox.aggregatesOfOneLane(2);
        try (OpenTransaction first = OpenTransaction.begin(outbox);
                OpenTransaction second = OpenTransaction.begin(outbox)) {
            first.run(() -> outbox.writer.append(event(sameLane.get(0))));
            second.run(() -> outbox.writer.append(event(sameLane.get(1))));
            second.commit();
        }
        assertThat(idsBySeq()).hasSize(1);
    }

    @Test
    void nobodyWaitsWithoutTheGuard() throws Exception {
        OutboxWriter unguarded = outbox.writer(outbox.dataSource, false);
        try (OpenTransaction first = OpenTransaction.begin(outbox);
                OpenTransaction second = OpenTransaction.begin(outbox)) {
            UUID early = first.run(() -> unguarded.append(event("a")));
            UUID late = second.run(() -> unguarded.append(event("a")));
            second.commit();
            first.commit();
            assertThat(idsBySeq()).containsExactly(early, late);
        }
    }

    @Test
    void aRollbackToASavepointReleasesWhatWasLockedBehindItAndNothingElse() throws Exception {
        try (OpenTransaction first = OpenTransaction.begin(outbox);
                OpenTransaction second = OpenTransaction.begin(outbox);
                OpenTransaction third = OpenTransaction.begin(outbox)) {
            first.run(() -> outbox.writer.append(event("before")));
            first.run(() -> {
                Object savepoint = first.status().createSavepoint();
                outbox.writer.appendAll(List.of(event("before"), event("behind")));
                first.status().rollbackToSavepoint(savepoint);
                return true;
            });
            second.run(() -> outbox.writer.append(event("behind")));
            CompletableFuture<UUID> waiting = second.start(() -> outbox.writer.append(event("before")));
            awaitBlocked();
            first.commit();
            OpenTransaction.result(waiting);
            second.commit();
            third.run(() -> outbox.writer.append(event("behind")));
            third.commit();
        }
        assertThat(idsBySeq()).hasSize(4);
    }

    @Test
    void aLockTakenAgainAfterARollbackToASavepointIsHeld() throws Exception {
        try (OpenTransaction first = OpenTransaction.begin(outbox);
                OpenTransaction second = OpenTransaction.begin(outbox)) {
            first.run(() -> {
                Object savepoint = first.status().createSavepoint();
                outbox.writer.append(event("a"));
                first.status().rollbackToSavepoint(savepoint);
                return outbox.writer.append(event("a"));
            });
            CompletableFuture<UUID> waiting = second.start(() -> outbox.writer.append(event("a")));
            awaitBlocked();
            first.commit();
            OpenTransaction.result(waiting);
        }
    }

    @Test
    void aBulkAppendOfManyAggregatesTakesFewLocksAndStillKeepsTheOrder() throws Exception {
        List<Event> events =
                IntStream.range(0, 20_000).mapToObj(i -> event("a" + i)).toList();
        try (OpenTransaction bulk = OpenTransaction.begin(outbox);
                OpenTransaction other = OpenTransaction.begin(outbox)) {
            List<UUID> ids = bulk.run(() -> outbox.writer.appendAll(events));
            assertThat(advisoryLocks()).isBetween(1L, FEW_LOCKS);

            CompletableFuture<UUID> waiting = other.start(() -> outbox.writer.append(event("a4711")));
            awaitBlocked();
            bulk.commit();
            UUID late = OpenTransaction.result(waiting);
            other.commit();
            assertThat(idsBySeq()).startsWith(ids.get(0)).endsWith(late).hasSize(20_001);
        }
    }

    @Test
    void aLoopOfAppendsInOneTransactionTakesFewLocks() throws Exception {
        try (OpenTransaction loop = OpenTransaction.begin(outbox)) {
            loop.run(() -> {
                for (int i = 0; i < 5_000; i++) {
                    outbox.writer.append(event("a" + i));
                }
                return true;
            });
            assertThat(advisoryLocks()).isBetween(1L, FEW_LOCKS);
            loop.commit();
        }
        assertThat(idsBySeq()).hasSize(5_000);
    }

    @Test
    void bulkAppendsOfTheSameAggregatesInOppositeOrdersDoNotDeadlock() throws Exception {
        for (int size : new int[] {150, 1_000}) {
            List<Event> forwards =
                    IntStream.range(0, size).mapToObj(i -> event("a" + i)).toList();
            List<Event> backwards = new ArrayList<>(forwards);
            Collections.reverse(backwards);
            for (int round = 0; round < 5; round++) {
                try (OpenTransaction first = OpenTransaction.begin(outbox);
                        OpenTransaction second = OpenTransaction.begin(outbox)) {
                    CompletableFuture<?> one = first.start(() -> append(first, forwards));
                    CompletableFuture<?> two = second.start(() -> append(second, backwards));
                    OpenTransaction.result(one);
                    OpenTransaction.result(two);
                }
            }
        }
        assertThat(idsBySeq()).hasSize(2 * 5 * (150 + 1_000));
    }

    private static List<UUID> append(OpenTransaction transaction, List<Event> events) {
        List<UUID> ids = outbox.writer.appendAll(events);
        outbox.transactions.commit(transaction.status());
        return ids;
    }

    private static Event event(String aggregateId) {
        return TestOutbox.event("orders", aggregateId).build();
    }

    private static List<UUID> idsBySeq() {
        return outbox.jdbc
                .sql("SELECT event_id FROM outbox_event ORDER BY seq")
                .query(UUID.class)
                .list();
    }

    private static void awaitBlocked() {
        await().until(() -> outbox.jdbc
                        .sql(ADVISORY_LOCKS + " AND NOT granted")
                        .query(Long.class)
                        .single()
                == 1);
    }

    private static long advisoryLocks() {
        return outbox.jdbc.sql(ADVISORY_LOCKS).query(Long.class).single();
    }
}
