package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Aggregate;
import dev.outbox.postgresql.TableNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

class AppendGuardTest {

    private static final TableNames NAMES = new TableNames("public", "outbox_");

    private final AdvisoryKeys keys = new AdvisoryKeys(NAMES);
    private final AppendGuard guard = new AppendGuard(keys);

    @BeforeEach
    void begin() {
        TransactionSynchronizationManager.initSynchronization();
    }

    @AfterEach
    void end() {
        complete();
        TransactionSynchronizationManager.clear();
    }

    @Test
    void locksTheLaneSharedAndThenTheAggregate() {
        assertThat(guard.locks(List.of(64L + 5)))
                .containsExactly(
                        new AppendGuard.Lock(keys.appendLane(5), false),
                        new AppendGuard.Lock(keys.aggregate(64L + 5), true));
    }

    @Test
    void locksInOneOrderWhateverTheOrderOfTheEvents() {
        List<Long> hashes = new ArrayList<>(hashes(AppendGuard.MAX_AGGREGATES));
        List<AppendGuard.Lock> sorted = guard.locks(hashes);
        complete();
        Collections.shuffle(hashes, new Random(1));

        assertThat(guard.locks(hashes)).isEqualTo(sorted).doesNotHaveDuplicates();
        assertThat(guard.locks(List.of(7L, 7L, 7L))).hasSize(2);
    }

    @Test
    void locksWholeLanesBeyondTheLimit() {
        assertThat(guard.locks(hashes(AppendGuard.MAX_AGGREGATES))).hasSize(AppendGuard.MAX_AGGREGATES + 64);
        complete();

        assertThat(guard.locks(hashes(AppendGuard.MAX_AGGREGATES + 1)))
                .hasSize(Aggregate.LANES)
                .allMatch(AppendGuard.Lock::exclusive);
    }

    @Test
    void countsTheAggregatesOfAWholeTransaction() {
        for (long hash = 1; hash <= AppendGuard.MAX_AGGREGATES; hash++) {
            assertThat(guard.locks(List.of(hash))).hasSize(2);
            assertThat(guard.locks(List.of(hash))).hasSize(2);
        }
        assertThat(guard.locks(List.of(1_000L)))
                .containsExactly(new AppendGuard.Lock(keys.appendLane(Aggregate.lane(1_000)), true));
        assertThat(guard.locks(List.of(1L))).containsExactly(new AppendGuard.Lock(keys.appendLane(1), true));
    }

    @Test
    void countsAnewInTheNextTransactionAndInANewOneInBetween() {
        guard.locks(hashes(AppendGuard.MAX_AGGREGATES + 1));
        List<TransactionSynchronization> outer = TransactionSynchronizationManager.getSynchronizations();
        outer.forEach(TransactionSynchronization::suspend);
        TransactionSynchronizationManager.clearSynchronization();
        TransactionSynchronizationManager.initSynchronization();
        assertThat(guard.locks(List.of(1L))).hasSize(2);
        complete();
        TransactionSynchronizationManager.clearSynchronization();
        TransactionSynchronizationManager.initSynchronization();
        outer.forEach(TransactionSynchronization::resume);
        assertThat(guard.locks(List.of(1L))).hasSize(1);

        outer.forEach(synchronization -> synchronization.afterCompletion(TransactionSynchronization.STATUS_COMMITTED));
        assertThat(guard.locks(List.of(1L))).hasSize(2);
    }

    @Test
    void keysDifferByPurposeLaneAggregateAndTables() {
        Set<Long> distinct = new HashSet<>();
        for (TableNames names : List.of(NAMES, new TableNames("public", "other_"), new TableNames("o", "outbox_"))) {
            AdvisoryKeys some = new AdvisoryKeys(names);
            for (int lane = 0; lane < Aggregate.LANES; lane++) {
                distinct.add(some.appendLane(lane));
                distinct.add(some.waitingLane(lane));
                distinct.add(some.aggregate(lane));
            }
        }
        assertThat(distinct).hasSize(3 * 3 * Aggregate.LANES);
    }

    @Test
    void keysAreTheSameOnEveryInstance() {
        AdvisoryKeys other = new AdvisoryKeys(NAMES);

        assertThat(other.aggregate(42)).isEqualTo(keys.aggregate(42));
        assertThat(other.appendLane(42)).isEqualTo(keys.appendLane(42));
        assertThat(other.waitingLane(42)).isEqualTo(keys.waitingLane(42));
    }

    private static List<Long> hashes(int count) {
        return LongStream.rangeClosed(1, count).boxed().toList();
    }

    private static void complete() {
        TransactionSynchronizationManager.getSynchronizations()
                .forEach(synchronization ->
                        synchronization.afterCompletion(TransactionSynchronization.STATUS_COMMITTED));
    }
}
