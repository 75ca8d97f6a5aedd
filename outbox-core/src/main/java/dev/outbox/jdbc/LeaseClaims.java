package dev.outbox.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.transaction.support.TransactionTemplate;

/** Holds lanes by leases: a short transaction writes owner, token and time, and none is open afterwards. */
final class LeaseClaims implements LaneClaims {

    /** A renewal or two may fail before nothing may be sent any more. */
    private static final int RENEWALS = 4;

    private final LeaseQueries leases;
    private final LaneQueries queries;
    private final TransactionTemplate ownTransaction;
    private final Duration sending;
    private final LeaseRenewal renewal;
    private final Map<Integer, Long> leftBehind = new ConcurrentHashMap<>();

    LeaseClaims(LeaseQueries leases, LaneQueries queries, TransactionTemplate ownTransaction, StoreSettings settings) {
        this.leases = leases;
        this.queries = queries;
        this.ownTransaction = ownTransaction;
        this.sending = settings.sending();
        this.renewal = new LeaseRenewal(sending.dividedBy(RENEWALS).plusMillis(1));
    }

    @Override
    public HeldLanes claim(int lanes) {
        return lease(() -> queries.take(lanes, List.of()), 1);
    }

    @Override
    public HeldLanes claimSet(int lanes) {
        return lease(() -> queries.takeSet(lanes), lanes);
    }

    private HeldLanes lease(Supplier<LaneQueries.Taken> take, int least) {
        long began = System.nanoTime();
        Map<Integer, Long> givenBack = Map.copyOf(leftBehind);
        HeldLanes held = Objects.requireNonNull(ownTransaction.execute(ignored -> {
            if (!givenBack.isEmpty()) {
                leases.end(givenBack);
            }
            LaneQueries.Taken taken = take.get();
            return taken.lanes().size() < least
                    ? new NoLanes()
                    : new LeasedLanes(this, taken, leases.begin(taken.lanes()), began);
        }));
        leftBehind.entrySet().removeAll(givenBack.entrySet());
        if (held instanceof LeasedLanes leased) {
            renewal.add(leased);
        }
        return held;
    }

    LeaseQueries leases() {
        return leases;
    }

    LaneQueries queries() {
        return queries;
    }

    TransactionTemplate ownTransaction() {
        return ownTransaction;
    }

    /** How long after a renewal something may be sent: it ends before the lease does. */
    Duration sending() {
        return sending;
    }

    void released(LeasedLanes lanes) {
        renewal.remove(lanes);
    }

    /** The database could not be told that these leases are over. The next claim tells it, so that nobody waits for them. */
    void leaveBehind(Map<Integer, Long> tokens) {
        leftBehind.putAll(tokens);
    }
}
