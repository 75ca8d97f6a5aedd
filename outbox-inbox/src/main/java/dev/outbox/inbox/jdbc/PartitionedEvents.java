package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.PurgeSettings;
import dev.outbox.postgresql.TableNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The processed events in the partitioned layout: ranges are made ahead and emptied as a whole, and what lies beside the
 * ranges, or in one that is kept for a dead letter, is deleted row by row.
 *
 * <p>The database user must own the tables.
 */
final class PartitionedEvents {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionedEvents.class);

    /* Of one statement: taking a partition off waits for every transaction that uses the table. */
    private static final Duration STATEMENT_LIMIT = Duration.ofSeconds(20);

    private static final long MOST_RANGES = 200;

    private final DataSource dataSource;
    private final TableNames names;
    private final PurgeSettings settings;
    private final Duration period;
    private final PartitionOwner owner;
    private boolean failing;
    private boolean failedInRound;

    PartitionedEvents(DataSource dataSource, TableNames names, PurgeSettings settings, Duration period) {
        if (period.toMinutes() < 1 || period.toSecondsPart() != 0 || period.toNanosPart() != 0) {
            throw new IllegalArgumentException(
                    "The period of a partition must be at least 1 minute and of full minutes, not " + period);
        }
        if (settings.retention().compareTo(period.multipliedBy(MOST_RANGES)) > 0) {
            throw new IllegalArgumentException("The retention (" + settings.retention() + ") must be at most "
                    + MOST_RANGES + " times the period of a partition (" + period + "); choose a longer period");
        }
        this.dataSource = dataSource;
        this.names = names;
        this.settings = settings;
        this.period = period;
        this.owner = new PartitionOwner(dataSource, names);
    }

    /** Purges once, on the calling thread, and returns how many events were forgotten. */
    synchronized long purge() {
        AtomicLong total = new AtomicLong();
        List<IdPartition> walked = new ArrayList<>();
        owner.work(connection -> total.addAndGet(workOn(connection, walked)));
        for (IdPartition partition : walked) {
            total.addAndGet(new ExpiredEvents(dataSource, names, partition.table(), settings).delete());
        }
        return total.get();
    }

    private long workOn(DataSource connection, List<IdPartition> walked) {
        JdbcTemplate jdbc = new JdbcTemplate(connection);
        jdbc.setQueryTimeout((int) STATEMENT_LIMIT.toSeconds());
        TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(connection));
        // Each statement must see what was committed before it got its lock.
        transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
        IdPartitions partitions = new IdPartitions(names, jdbc);
        OldRanges old = new OldRanges(partitions, names, jdbc, transaction, settings.retention());
        AtomicLong total = new AtomicLong();
        failedInRound = false;
        trying(new RangesAhead(partitions, transaction, period, settings.retention())::extend);
        trying(() -> old.empty(total::addAndGet));
        trying(old::merge);
        failing = failedInRound;
        partitions.list().stream()
                .filter(partition -> !partition.isRange() && partition.isInPlace())
                .forEach(walked::add);
        walked.addAll(old.keptForDeadLetters());
        return total.get();
    }

    /** What can't be done now is tried again in the next round, and what does not hang on it is done all the same. */
    private void trying(Runnable work) {
        try {
            work.run();
        } catch (DataAccessException e) {
            failedInRound = true;
            if (failing) {
                LOG.debug("Still not possible", e);
            } else {
                LOG.error(
                        "Partitions of the inbox could not be made, emptied or merged; tried again with every purge."
                                + " Nothing is lost: what finds no range goes into the partition ahead. The database user"
                                + " must own the tables, and no transaction that uses them may stay open for longer than"
                                + " {} s",
                        STATEMENT_LIMIT.toSeconds(),
                        e);
            }
        }
    }
}
