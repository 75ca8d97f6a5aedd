package dev.outbox.jdbc;

import dev.outbox.PurgeSettings;
import dev.outbox.PurgeStore;
import dev.outbox.postgresql.TableNames;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Deletes old records row by row.
 *
 * <p>One owner at a time: each transaction tries to take an advisory lock that ends with it. Two at once would do no harm,
 * only twice the work.
 */
public final class JdbcPurgeStore implements PurgeStore {

    /*
     * In the same breath, and for this transaction alone, the planner is told to follow the order of the primary key: where
     * it believes that few rows are old it would rather read and sort all that are, for every batch.
     */
    private static final String OWN = """
            SELECT pg_try_advisory_xact_lock(:key), set_config('enable_sort', 'off', true),
                   set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
                   set_config('jit', 'off', true)
            """;

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final PurgeWalk walk;
    private final long key;

    /**
     * @param dataSource the outbox's own
     * @param names where the tables live
     */
    public JdbcPurgeStore(DataSource dataSource, TableNames names, PurgeSettings settings) {
        DataSource own = new RelayDataSource(dataSource);
        this.jdbc = JdbcClient.create(own);
        this.transaction = new TransactionTemplate(
                new DataSourceTransactionManager(own),
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
        this.walk = new PurgeWalk(jdbc, settings, names.qualified("delivery"), names.qualified("event"));
        this.key = new AdvisoryKeys(names).purge();
    }

    @Override
    public Step step() {
        return Objects.requireNonNull(transaction.execute(status -> isOwner() ? walk.step() : new Step(0, true)));
    }

    @Override
    public void restart() {
        walk.restart();
    }

    private boolean isOwner() {
        return jdbc.sql(OWN)
                .param("key", key)
                .query((row, number) -> row.getBoolean(1))
                .single();
    }
}
