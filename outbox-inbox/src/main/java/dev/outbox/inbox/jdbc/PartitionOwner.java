package dev.outbox.inbox.jdbc;

import dev.outbox.postgresql.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Lets one instance at a time work on partitions: by an advisory lock in a transaction that touches no table, because taking
 * a partition off waits for every transaction that does. The work is done on a second connection.
 */
final class PartitionOwner {

    private static final String TRY_LOCK = "SELECT pg_try_advisory_xact_lock(hashtextextended(:name, 0))";

    /*
     * Nobody may end the idle transaction. And the driver leaves the question for the lock open on the server until the next
     * statement, and with it a snapshot, for which the end of an interrupted detaching would wait.
     */
    private static final String STAY = "SET LOCAL idle_in_transaction_session_timeout = 0";

    private final DataSource dataSource;
    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final String lock;

    PartitionOwner(DataSource dataSource, TableNames names) {
        this.dataSource = dataSource;
        this.jdbc = JdbcClient.create(dataSource);
        this.transaction = new TransactionTemplate(
                new JdbcTransactionManager(dataSource),
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
        this.lock = "inbox partitions of " + names.qualified(InboxTables.PROCESSED);
    }

    /** Does the work with a connection in auto-commit mode. Nothing happens while another instance is at it. */
    void work(Consumer<DataSource> work) {
        transaction.executeWithoutResult(status -> {
            if (jdbc.sql(TRY_LOCK).param("name", lock).query(Boolean.class).single()) {
                jdbc.sql(STAY).update();
                onSecondConnection(work);
            }
        });
    }

    private void onSecondConnection(Consumer<DataSource> work) {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try {
                work.accept(new SingleConnectionDataSource(connection, true));
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            throw new DataAccessResourceFailureException(
                    "The work on the inbox's partitions needs a second connection for moments", e);
        }
    }
}
