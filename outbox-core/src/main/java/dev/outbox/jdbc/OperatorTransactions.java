package dev.outbox.jdbc;

import java.sql.SQLException;
import java.util.Set;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions of an operator's own, whatever the calling thread has open.
 *
 * <p>An operator locks lanes and then rows; a relay that writes outcomes may hold a row and then want the lane. So the
 * operator waits for locks less than the server's {@code deadlock_timeout} (1 s), gives way and tries again: it is never
 * the relay that fails.
 */
final class OperatorTransactions {

    /** How often a transaction is tried that meets locks. */
    static final int TRIES = 20;

    private static final String LOCK_TIMEOUT = "SELECT set_config('lock_timeout', '400ms', true)";

    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String DEADLOCK_DETECTED = "40P01";

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;

    OperatorTransactions(DataSource dataSource) {
        DataSource own = new RelayDataSource(dataSource);
        jdbc = JdbcClient.create(own);
        transaction = new TransactionTemplate(new DataSourceTransactionManager(own));
        transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        // Every statement must see what was committed while it waited for a lock.
        transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
    }

    /** Works inside the transactions only. */
    JdbcClient jdbc() {
        return jdbc;
    }

    <T> T read(Supplier<T> step) {
        return transaction.execute(status -> step.get());
    }

    /** The step may run several times; only its last run counts. */
    <T> T write(Supplier<T> step) {
        for (int tries = 1; ; tries++) {
            try {
                return transaction.execute(status -> {
                    jdbc.sql(LOCK_TIMEOUT).query(String.class).single();
                    return step.get();
                });
            } catch (DataAccessException e) {
                if (tries == TRIES || !isLockFailure(e)) {
                    throw e;
                }
            }
        }
    }

    private static boolean isLockFailure(DataAccessException e) {
        return e.getCause() instanceof SQLException sql
                && Set.of(LOCK_NOT_AVAILABLE, DEADLOCK_DETECTED).contains(String.valueOf(sql.getSQLState()));
    }
}
