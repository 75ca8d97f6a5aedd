package dev.outbox.jdbc;

import dev.outbox.PurgeStore;
import dev.outbox.postgresql.TableNames;
import java.util.Objects;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions of the one who purges: each tries to take an advisory lock that ends with it. */
final class PurgeTransactions {

    /*
     * In the same breath, and for this transaction alone, the planner is told to follow the order of the primary key: where
     * it believes that few rows are old it would rather read and sort all that are, for every batch.
     */
    private static final String OWN = """
            SELECT pg_try_advisory_xact_lock(:key), set_config('enable_sort', 'off', true),
                   set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
                   set_config('jit', 'off', true)
            """;

    private final DataSource dataSource;
    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final long key;

    PurgeTransactions(DataSource dataSource, TableNames names) {
        this.dataSource = new RelayDataSource(dataSource);
        this.jdbc = JdbcClient.create(this.dataSource);
        this.transaction = new TransactionTemplate(
                new DataSourceTransactionManager(this.dataSource),
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
        this.key = new AdvisoryKeys(names).purge();
    }

    /** What these transactions use. */
    JdbcClient jdbc() {
        return jdbc;
    }

    /** Where to get a second connection. */
    DataSource dataSource() {
        return dataSource;
    }

    /**
     * Makes the transaction one that nobody waits for and nobody ends. The driver leaves the question for the lock open on the server until
     * the next statement, and with it a snapshot, for which the end of an interrupted detaching would wait.
     */
    void leaveNoSnapshot() {
        jdbc.sql("SET LOCAL idle_in_transaction_session_timeout = 0").update();
    }

    /** Goes a step in a transaction, or ends the round when another one is the owner. */
    PurgeStore.Step asOwner(Supplier<PurgeStore.Step> step) {
        return Objects.requireNonNull(
                transaction.execute(status -> isOwner() ? step.get() : new PurgeStore.Step(0, true)));
    }

    private boolean isOwner() {
        return jdbc.sql(OWN)
                .param("key", key)
                .query((row, number) -> row.getBoolean(1))
                .single();
    }
}
