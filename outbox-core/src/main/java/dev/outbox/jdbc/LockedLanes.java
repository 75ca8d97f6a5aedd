package dev.outbox.jdbc;

import dev.outbox.BatchLimits;
import dev.outbox.DeliveryStore;
import dev.outbox.Outcome;
import java.util.List;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** A claim that is an open transaction on the claiming thread. */
final class LockedLanes implements DeliveryStore.Claim {

    private final PlatformTransactionManager transactions;
    private final TransactionStatus status;
    private final TransactionTemplate ownTransaction;
    private final ClaimedReads reads;
    private final OutcomeWrites writes;
    private final List<Integer> lanes;

    LockedLanes(
            PlatformTransactionManager transactions,
            TransactionStatus status,
            TransactionTemplate ownTransaction,
            ClaimedReads reads,
            OutcomeWrites writes,
            List<Integer> lanes) {
        this.transactions = transactions;
        this.status = status;
        this.ownTransaction = ownTransaction;
        this.reads = reads;
        this.writes = writes;
        this.lanes = lanes;
    }

    @Override
    public boolean isEmpty() {
        return lanes.isEmpty();
    }

    @Override
    public DeliveryStore.Batch read(BatchLimits limits) {
        ClaimedReads.Found found = reads.read(lanes, limits);
        if (!found.behind().isEmpty()) {
            ownTransaction.executeWithoutResult(ignored -> writes.setAside(found.behind()));
        }
        return new DeliveryStore.Batch(found.deliveries(), found.full());
    }

    @Override
    public void record(List<Outcome> outcomes) {
        ownTransaction.executeWithoutResult(ignored -> writes.record(outcomes));
    }

    /** Nothing is written by the claim itself, so there is nothing that a rollback would lose. */
    @Override
    public void close() {
        transactions.rollback(status);
    }
}
