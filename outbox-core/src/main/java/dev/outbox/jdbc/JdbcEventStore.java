package dev.outbox.jdbc;

import dev.outbox.EventStore;
import dev.outbox.OutboxRecord;
import dev.outbox.postgresql.CallerTransaction;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import dev.outbox.postgresql.TransactionRequiredException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/** Appends records in the transaction that the calling thread has open on the outbox's {@code DataSource}. */
public final class JdbcEventStore implements EventStore {

    private static final String TRANSACTION_ABORTED = "25P02";

    private final CallerTransaction transaction;
    private final @Nullable AppendGuard guard;
    private final AppendOne one;
    private final AppendMany many;

    /**
     * @param dataSource the outbox's own
     * @param phase added to the transaction managers as a listener
     * @param names where the tables live
     * @param guardOrder whether two transactions that append to one aggregate are kept in the order of their numbers by
     *     an advisory lock that each holds to its end
     */
    public JdbcEventStore(DataSource dataSource, TransactionPhase phase, TableNames names, boolean guardOrder) {
        this.transaction = new CallerTransaction("outbox.append", dataSource, phase);
        this.guard = guardOrder ? new AppendGuard(new AdvisoryKeys(names)) : null;
        this.one = new AppendOne(names, guardOrder);
        this.many = new AppendMany(names);
    }

    @Override
    public void append(List<OutboxRecord> records) {
        JdbcTemplate jdbc = new JdbcTemplate(transaction.require());
        List<Long> hashes =
                records.stream().map(record -> record.aggregate().hash()).toList();
        List<AppendGuard.Lock> locks = guard == null ? List.of() : guard.locks(hashes);
        try {
            jdbc.update(connection -> prepare(connection, locks, hashes, records));
        } catch (DataAccessException e) {
            if (e.getCause() instanceof SQLException sql && TRANSACTION_ABORTED.equals(sql.getSQLState())) {
                throw new TransactionRequiredException(
                        "outbox.append was called in a transaction that an earlier"
                                + " statement has already failed; PostgreSQL will roll it back, so nothing can be appended to it");
            }
            throw e;
        }
    }

    private PreparedStatement prepare(
            Connection connection, List<AppendGuard.Lock> locks, List<Long> hashes, List<OutboxRecord> records)
            throws SQLException {
        return records.size() == 1 && one.takes(locks)
                ? one.prepare(connection, locks, records.get(0))
                : many.prepare(connection, locks, hashes, records);
    }
}
