package dev.outbox.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Holds lanes by their row locks: a claim is a transaction of the claiming thread, open as long as the lanes are held.
 * Whatever ends it (commit, a lost connection, a killed process) frees them at once.
 */
final class LockClaims implements LaneClaims {

    /* The server ends a session that stays silent for too long: a relay that hangs must not hold its lanes for ever. */
    private static final String IDLE_LIMIT =
            "SELECT set_config('idle_in_transaction_session_timeout', :milliseconds, true)";

    private final JdbcClient jdbc;
    private final LaneQueries queries;
    private final PlatformTransactionManager transactions;
    private final TransactionTemplate ownTransaction;
    private final StoreSettings settings;

    LockClaims(
            JdbcClient jdbc,
            LaneQueries queries,
            PlatformTransactionManager transactions,
            TransactionTemplate ownTransaction,
            StoreSettings settings) {
        this.jdbc = jdbc;
        this.queries = queries;
        this.transactions = transactions;
        this.ownTransaction = ownTransaction;
        this.settings = settings;
    }

    @Override
    public HeldLanes claim(int lanes) {
        return begin(queries -> queries.take(lanes, List.of()), 1);
    }

    @Override
    public HeldLanes claimSet(int lanes) {
        return begin(queries -> queries.takeSet(lanes), lanes);
    }

    private HeldLanes begin(Function<LaneQueries, LaneQueries.Taken> take, int least) {
        TransactionStatus status = transactions.getTransaction(TransactionDefinition.withDefaults());
        try {
            LaneQueries.Taken taken = take.apply(queries);
            if (taken.lanes().size() < least) {
                transactions.rollback(status);
                return new NoLanes();
            }
            jdbc.sql(IDLE_LIMIT)
                    .param("milliseconds", Long.toString(settings.lease().toMillis()))
                    .query(String.class)
                    .single();
            return new LockedLanes(status, taken);
        } catch (RuntimeException | Error e) {
            if (!status.isCompleted()) {
                transactions.rollback(status);
            }
            throw e;
        }
    }

    private final class LockedLanes implements HeldLanes {

        private final TransactionStatus status;
        private final LaneQueries.Taken taken;
        private final List<Lane> held;
        private volatile long heardAt = System.nanoTime();

        private LockedLanes(TransactionStatus status, LaneQueries.Taken taken) {
            this.status = status;
            this.taken = taken;
            this.held = new ArrayList<>(taken.lanes());
        }

        @Override
        public List<Lane> lanes() {
            return taken.lanes();
        }

        @Override
        public Set<String> pausedTopics() {
            return taken.paused();
        }

        @Override
        public List<Lane> extend(int lanes) {
            List<Lane> more = read(() ->
                            queries.take(lanes, held.stream().map(Lane::lane).toList()))
                    .lanes();
            held.addAll(more);
            return more;
        }

        /** A process that was stopped for longer than the limit has been thrown out by the server. */
        @Override
        public boolean isHeld() {
            return System.nanoTime() - heardAt < settings.sending().toNanos();
        }

        @Override
        public <T> T read(Supplier<T> query) {
            T result = query.get();
            heardAt = System.nanoTime();
            return result;
        }

        @Override
        public <T> T write(Supplier<T> writes) {
            return ownTransaction.execute(ignored -> writes.get());
        }

        @Override
        public void release(Map<Integer, Long> floors) {
            if (floors.isEmpty()) {
                transactions.rollback(status);
                return;
            }
            try {
                queries.moveFloors(floors);
            } catch (RuntimeException | Error e) {
                transactions.rollback(status);
                throw e;
            }
            transactions.commit(status);
        }
    }
}
