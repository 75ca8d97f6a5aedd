package dev.outbox.jdbc;

import dev.outbox.Aggregate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Decides which advisory locks an append takes before it draws its sequence numbers, so that of two transactions that
 * append to one aggregate the one with the lower numbers commits first.
 *
 * <p>A normal append locks its lane shared and its aggregate exclusively. Locks live in the server's shared memory, of
 * which a stock server has 6,400 entries for all sessions, so a transaction that appends to more than
 * {@link #MAX_AGGREGATES} aggregates locks whole lanes exclusively instead: at most {@value Aggregate#LANES} more. Within
 * one call locks are taken in one order, so bulk appends don't deadlock each other.
 */
final class AppendGuard {

    /** The most aggregates that one transaction locks one by one. */
    static final int MAX_AGGREGATES = 200;

    private final AdvisoryKeys keys;
    private final Object resourceKey = new Object();

    AppendGuard(AdvisoryKeys keys) {
        this.keys = keys;
    }

    /**
     * The locks for these aggregates, in locking order. Locks that the transaction may hold already are named again: that
     * costs next to nothing, and a rollback to a savepoint may have released them.
     */
    List<Lock> locks(Collection<Long> hashes) {
        Set<Long> distinct = new TreeSet<>(hashes);
        Set<Integer> lanes = new TreeSet<>();
        distinct.forEach(hash -> lanes.add(Aggregate.lane(hash)));
        boolean wholeLanes = countAggregates(distinct) > MAX_AGGREGATES;

        List<Lock> locks = new ArrayList<>();
        lanes.forEach(lane -> locks.add(new Lock(keys.appendLane(lane), wholeLanes)));
        if (!wholeLanes) {
            distinct.forEach(hash -> locks.add(new Lock(keys.aggregate(hash), true)));
        }
        return locks;
    }

    /** Counts the aggregates of the calling thread's transaction, not far beyond the limit. */
    private int countAggregates(Set<Long> hashes) {
        Set<Long> seen = seen();
        if (seen.size() <= MAX_AGGREGATES) {
            seen.addAll(hashes);
        }
        return seen.size();
    }

    private Set<Long> seen() {
        Seen seen = (Seen) TransactionSynchronizationManager.getResource(resourceKey);
        if (seen == null) {
            seen = new Seen(resourceKey, new HashSet<>());
            TransactionSynchronizationManager.bindResource(resourceKey, seen);
            TransactionSynchronizationManager.registerSynchronization(seen);
        }
        return seen.aggregates;
    }

    /**
     * @param key the advisory lock's key
     * @param exclusive whether nobody else may hold it
     */
    record Lock(long key, boolean exclusive) {}

    private record Seen(Object resourceKey, Set<Long> aggregates) implements TransactionSynchronization {

        @Override
        public void suspend() {
            TransactionSynchronizationManager.unbindResourceIfPossible(resourceKey);
        }

        @Override
        public void resume() {
            TransactionSynchronizationManager.bindResource(resourceKey, this);
        }

        @Override
        public void afterCompletion(int status) {
            TransactionSynchronizationManager.unbindResourceIfPossible(resourceKey);
        }
    }
}
