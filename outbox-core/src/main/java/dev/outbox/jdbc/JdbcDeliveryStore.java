package dev.outbox.jdbc;

import dev.outbox.Backlog;
import dev.outbox.DeliveryStore;
import dev.outbox.postgresql.TableNames;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Claims lanes by their row locks.
 *
 * <p>A claim is a transaction that is open as long as the lanes are held; whatever ends it (commit, a lost connection, a
 * killed process) frees them at once. What is written down is written in transactions of their own. So a claim takes one
 * connection, and a second one for moments.
 */
public final class JdbcDeliveryStore implements DeliveryStore {

    /** Beyond this many records {@link #backlog()} stops counting. */
    static final int BACKLOG_COUNT_LIMIT = 250_000;

    /*
     * Lanes are taken in random order so that several relays share them. The server ends a session that stays silent for
     * too long: a relay that hangs must not hold its lanes for ever.
     */
    private static final String CLAIM = """
            SELECT l.lane
            FROM %1$s l
            CROSS JOIN LATERAL (SELECT (SELECT d.seq
                                        FROM %2$s d
                                        WHERE d.lane = l.lane AND d.published_at IS NULL AND NOT d.waiting AND d.parked_at IS NULL
                                        ORDER BY d.seq
                                        LIMIT 1) AS ready,
                                       (SELECT d.seq
                                        FROM %2$s d
                                        WHERE d.lane = l.lane AND d.published_at IS NULL AND d.next_attempt_at <= now()
                                        ORDER BY d.next_attempt_at
                                        LIMIT 1) AS due
                                OFFSET 0) w
            WHERE w.ready IS NOT NULL OR w.due IS NOT NULL
            ORDER BY random()
            LIMIT :lanes
            FOR UPDATE OF l SKIP LOCKED
            """;

    private static final String IDLE_LIMIT =
            "SELECT set_config('idle_in_transaction_session_timeout', :milliseconds, true)";

    private static final String BACKLOG = """
            SELECT
                (SELECT count(*) FROM (SELECT FROM %1$s WHERE published_at IS NULL AND NOT waiting AND parked_at IS NULL
                                       ORDER BY lane, seq LIMIT :limit) r),
                (SELECT count(*) FROM (SELECT FROM %1$s WHERE published_at IS NULL AND waiting
                                       ORDER BY lane, aggregate_hash, seq LIMIT :limit) w),
                (SELECT count(*) FROM (SELECT FROM %1$s WHERE published_at IS NULL AND parked_at IS NOT NULL AND discarded_at IS NULL
                                       ORDER BY parked_at LIMIT :limit) p),
                (SELECT extract(epoch FROM clock_timestamp() - min(e.created_at))
                 FROM (SELECT (SELECT min(d.seq) FROM %1$s d
                               WHERE d.lane = l.lane AND d.published_at IS NULL AND NOT d.waiting AND d.parked_at IS NULL) AS seq
                       FROM %2$s l
                       UNION ALL
                       SELECT min(d.seq)
                       FROM (SELECT seq FROM %1$s WHERE published_at IS NULL AND next_attempt_at IS NOT NULL
                             ORDER BY lane, next_attempt_at LIMIT :limit) d) heads
                 JOIN %3$s e ON e.seq = heads.seq)
            """;

    private final JdbcClient jdbc;
    private final DataSourceTransactionManager transactions;
    private final TransactionTemplate ownTransaction;
    private final ClaimedReads reads;
    private final OutcomeWrites writes;
    private final String claim;
    private final String backlog;
    private final Duration idleLimit;

    /**
     * @param dataSource the outbox's own
     * @param names where the tables live
     * @param idleLimit how long a claim may be silent before the server ends it; longer than publishing takes
     */
    public JdbcDeliveryStore(DataSource dataSource, TableNames names, Duration idleLimit) {
        DataSource own = new RelayDataSource(dataSource);
        this.jdbc = JdbcClient.create(own);
        this.transactions = new DataSourceTransactionManager(own);
        // Nothing on a relay thread shall take the relay's transactions for its own.
        this.transactions.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
        this.ownTransaction = new TransactionTemplate(
                transactions, new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
        this.reads = new ClaimedReads(jdbc, names);
        this.writes = new OutcomeWrites(jdbc, names);
        this.claim = CLAIM.formatted(names.qualified("lane"), names.qualified("delivery"));
        this.backlog =
                BACKLOG.formatted(names.qualified("delivery"), names.qualified("lane"), names.qualified("event"));
        this.idleLimit = idleLimit;
    }

    @Override
    public Claim claim(int lanes) {
        TransactionStatus status = transactions.getTransaction(TransactionDefinition.withDefaults());
        try {
            List<Integer> claimed =
                    jdbc.sql(claim).param("lanes", lanes).query(Integer.class).list();
            if (!claimed.isEmpty()) {
                jdbc.sql(IDLE_LIMIT)
                        .param("milliseconds", Long.toString(idleLimit.toMillis()))
                        .query(String.class)
                        .single();
            }
            return new LockedLanes(transactions, status, ownTransaction, reads, writes, claimed);
        } catch (RuntimeException | Error e) {
            transactions.rollback(status);
            throw e;
        }
    }

    @Override
    public Backlog backlog() {
        return jdbc.sql(backlog)
                .param("limit", BACKLOG_COUNT_LIMIT)
                .query((row, number) -> new Backlog(
                        row.getLong(1) + row.getLong(2) - row.getLong(3),
                        row.getLong(2) - row.getLong(3),
                        row.getLong(3),
                        Duration.ofMillis(Math.round(row.getDouble(4) * 1000))))
                .single();
    }
}
