package dev.outbox.postgresql;

import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SimpleConnectionHandle;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Finds the transaction that the calling thread has open on one {@link DataSource}, or refuses.
 *
 * <p>{@link TransactionSynchronizationManager#isActualTransactionActive()} is true for any transaction manager, also one
 * of Kafka or of another database. So the connection that is bound for this very {@code DataSource} decides, seen
 * through {@link DelegatingDataSource} proxies on either side.
 */
public final class CallerTransaction {

    private final String operation;
    private final DataSource dataSource;
    private final TransactionPhase phase;

    /**
     * @param operation what needs the transaction, as the messages name it: {@code outbox.append}
     */
    public CallerTransaction(String operation, DataSource dataSource, TransactionPhase phase) {
        this.operation = operation;
        this.dataSource = dataSource;
        this.phase = phase;
    }

    /**
     * The {@code DataSource} to which the caller's transactional connection is bound, so that statements run through it
     * join that transaction.
     *
     * @throws TransactionRequiredException if there is none, it is read-only, or it is already completing
     */
    public DataSource require() {
        DataSource bound = boundDataSource();
        if (bound == null || !TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new TransactionRequiredException(operation + " needs a transaction on " + describe()
                    + ", and this thread has none. Call it inside a @Transactional method (through the Spring proxy, on the"
                    + " caller's thread) whose transaction manager works on that DataSource"
                    + (TransactionSynchronizationManager.isActualTransactionActive()
                            ? "; the active transaction belongs to another one"
                            : ""));
        }
        if (isCompleting(bound) || !TransactionSynchronizationManager.isSynchronizationActive()) {
            throw new TransactionRequiredException(operation + " was called after the transaction on " + describe()
                    + " had committed or rolled back (an after-commit or after-completion callback), where nothing"
                    + " written belongs to it any more. Call it before commit, or in a new transaction"
                    + " (REQUIRES_NEW)");
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new TransactionRequiredException(operation + " was called in a read-only transaction on " + describe()
                    + ". Remove readOnly = true from the outermost @Transactional method");
        }
        return bound;
    }

    private boolean isCompleting(DataSource bound) {
        Object resource = TransactionSynchronizationManager.getResource(bound);
        return resource != null && phase.completing(resource);
    }

    private @Nullable DataSource boundDataSource() {
        if (isTransactional(dataSource, TransactionSynchronizationManager.getResource(dataSource))) {
            return dataSource;
        }
        DataSource target = target(dataSource);
        for (Map.Entry<Object, Object> resource :
                TransactionSynchronizationManager.getResourceMap().entrySet()) {
            if (resource.getKey() instanceof DataSource candidate
                    && target(candidate) == target
                    && isTransactional(candidate, resource.getValue())) {
                return candidate;
            }
        }
        return null;
    }

    /**
     * A connection is bound by a transaction manager, but also by a mere query inside a transaction of somebody else. An
     * ORM's manager binds a handle of its own; for JDBC the manager's own view is asked.
     */
    private static boolean isTransactional(DataSource key, @Nullable Object resource) {
        if (!(resource instanceof ConnectionHolder holder) || holder.getConnectionHandle() == null) {
            return false;
        }
        return !(holder.getConnectionHandle() instanceof SimpleConnectionHandle) || new JdbcView(key).hasTransaction();
    }

    private static DataSource target(DataSource dataSource) {
        DataSource current = dataSource;
        while (current instanceof DelegatingDataSource proxy && proxy.getTargetDataSource() != null) {
            current = proxy.getTargetDataSource();
        }
        return current;
    }

    private String describe() {
        return "the DataSource " + target(dataSource);
    }

    private static final class JdbcView extends DataSourceTransactionManager {

        private static final long serialVersionUID = 1L;

        private JdbcView(DataSource dataSource) {
            super(dataSource);
        }

        private boolean hasTransaction() {
            return isExistingTransaction(doGetTransaction());
        }
    }
}
