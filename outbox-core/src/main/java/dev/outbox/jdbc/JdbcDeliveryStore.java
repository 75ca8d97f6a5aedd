package dev.outbox.jdbc;

import dev.outbox.Backlog;
import dev.outbox.DeliveryStore;
import dev.outbox.postgresql.TableNames;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The outbox tables as a relay sees them.
 *
 * <p>What is written down is written in transactions of their own, on a connection of their own. So a claim by locks takes
 * one connection, and a second one for moments; a claim by leases takes one for moments.
 */
public final class JdbcDeliveryStore implements DeliveryStore {

    private static final Logger log = LoggerFactory.getLogger(JdbcDeliveryStore.class);

    private static final Duration CHECK_FLOORS_EVERY = Duration.ofMinutes(10);

    private final TransactionTemplate ownTransaction;
    private final LaneQueries lanes;
    private final LaneClaims claims;
    private final ClaimedReads reads;
    private final OutcomeWrites writes;
    private final PutOffRecords putOff;
    private final BacklogQuery backlog;
    private final AtomicLong floorsCheckedAt = new AtomicLong(System.nanoTime() - CHECK_FLOORS_EVERY.toNanos());
    private volatile boolean requesting;

    /**
     * @param dataSource the outbox's own
     * @param names where the tables live
     */
    public JdbcDeliveryStore(DataSource dataSource, TableNames names, StoreSettings settings) {
        DataSource own = new RelayDataSource(dataSource);
        JdbcClient jdbc = JdbcClient.create(own);
        DataSourceTransactionManager transactions = new DataSourceTransactionManager(own);
        // Nothing on a relay thread shall take the relay's transactions for its own.
        transactions.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
        this.ownTransaction = new TransactionTemplate(
                transactions, new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
        this.lanes = new LaneQueries(jdbc, names);
        this.reads = new ClaimedReads(jdbc, names, settings.ordering());
        this.writes = new OutcomeWrites(jdbc, names, settings.deletePublished());
        this.putOff = new PutOffRecords(new OperatorTransactions(dataSource), names);
        this.backlog = new BacklogQuery(jdbc, names);
        this.claims = settings.claimMode() == ClaimMode.LOCK
                ? new LockClaims(jdbc, lanes, transactions, ownTransaction, settings)
                : new LeaseClaims(
                        new LeaseQueries(jdbc, names, lanes.claimant(), settings.lease()),
                        lanes,
                        ownTransaction,
                        settings);
    }

    @Override
    public boolean hasWork() {
        return lanes.hasWork();
    }

    @Override
    public Claim claim(int count) {
        checkFloors();
        return opened(claims.claim(count));
    }

    @Override
    public Claim claimSet(int count) {
        checkFloors();
        return opened(claims.claimSet(count));
    }

    private Claim opened(HeldLanes held) {
        if (requesting && !held.lanes().isEmpty()) {
            requesting = false;
            ownTransaction.executeWithoutResult(ignored -> lanes.withdrawRequests());
        }
        return new JdbcClaim(held, reads, writes);
    }

    @Override
    public void request(int count) {
        requesting = true;
        ownTransaction.executeWithoutResult(ignored -> lanes.request(count));
    }

    @Override
    public void release(String topic) {
        putOff.makeDue(topic);
    }

    @Override
    public void releaseOne(String topic) {
        putOff.makeOneDue(topic);
    }

    @Override
    public Backlog backlog() {
        return backlog.get();
    }

    private void checkFloors() {
        long checked = floorsCheckedAt.get();
        if (System.nanoTime() - checked >= CHECK_FLOORS_EVERY.toNanos()
                && floorsCheckedAt.compareAndSet(checked, System.nanoTime())) {
            int lowered = Objects.requireNonNull(ownTransaction.execute(ignored -> lanes.lowerFloors()));
            if (lowered > 0) {
                log.warn(
                        "{} lanes had records below the number from which they are read, and are read from their"
                                + " beginning now. Were rows inserted past OutboxWriter?",
                        lowered);
            }
        }
    }
}
