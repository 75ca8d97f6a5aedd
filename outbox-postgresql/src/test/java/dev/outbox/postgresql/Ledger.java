package dev.outbox.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.TestDatabase;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** A table that may only be written in the caller's transaction, empty at first, and a pool to reach it. */
final class Ledger implements AutoCloseable {

    private static final TestDatabase DATABASE = PostgresServer.shared().createDatabase();
    private static final JdbcClient OBSERVER = JdbcClient.create(DATABASE.dataSource());

    final HikariDataSource pool;
    final TransactionPhase phase = new TransactionPhase();

    Ledger(boolean autoCommit) {
        pool = Pools.open(DATABASE, config -> {
            config.setAutoCommit(autoCommit);
            config.setPoolName("ledger-pool");
        });
        OBSERVER.sql("DROP TABLE IF EXISTS ledger; CREATE TABLE ledger (entry text)")
                .update();
    }

    /** Required transactions of this DataSource, with the listener that knows the phase. */
    TransactionTemplate transactions(DataSource dataSource) {
        return transactions(dataSource, TransactionDefinition.PROPAGATION_REQUIRED);
    }

    TransactionTemplate transactions(DataSource dataSource, int propagation) {
        DataSourceTransactionManager manager = new DataSourceTransactionManager(dataSource);
        manager.setTransactionExecutionListeners(List.of(phase));
        return new TransactionTemplate(manager, new DefaultTransactionDefinition(propagation));
    }

    /** Writes an entry through a DataSource, if the caller's transaction allows it. */
    void write(DataSource dataSource, String entry) {
        DataSource bound = new CallerTransaction("ledger.write", dataSource, phase).require();
        JdbcClient.create(bound)
                .sql("INSERT INTO ledger VALUES (?)")
                .param(entry)
                .update();
    }

    void write(String entry) {
        write(pool, entry);
    }

    /** The entries that everybody sees. */
    List<String> entries() {
        return OBSERVER.sql("SELECT entry FROM ledger ORDER BY entry")
                .query(String.class)
                .list();
    }

    @Override
    public void close() {
        pool.close();
    }
}
