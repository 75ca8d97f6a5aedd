package dev.outbox.jdbc;

import dev.outbox.PurgeSettings;
import dev.outbox.PurgeStore;
import dev.outbox.postgresql.TableNames;
import javax.sql.DataSource;

/**
 * Deletes old records row by row.
 *
 * <p>One owner at a time, by an advisory lock. Two at once would do no harm, only twice the work.
 */
public final class JdbcPurgeStore implements PurgeStore {

    private final PurgeTransactions transactions;
    private final PurgeWalk walk;

    /**
     * @param dataSource the outbox's own
     * @param names where the tables live
     */
    public JdbcPurgeStore(DataSource dataSource, TableNames names, PurgeSettings settings) {
        this.transactions = new PurgeTransactions(dataSource, names);
        this.walk = new PurgeWalk(transactions.jdbc(), settings, names.qualified("delivery"), names.qualified("event"));
    }

    @Override
    public Step step() {
        return transactions.asOwner(walk::step);
    }

    @Override
    public void restart() {
        walk.restart();
    }
}
