package dev.outbox.jdbc;

import dev.outbox.PurgeSettings;
import dev.outbox.PurgeStore;
import dev.outbox.jdbc.Partitions.Partition;
import dev.outbox.postgresql.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Makes partitions ahead, drops those that are old, and deletes row by row where a partition is old but for records that
 * have to stay.
 *
 * <p>While it works on partitions it takes a second connection: the first one holds the advisory lock of the owner and
 * touches no table, because taking a partition off waits for everybody who does. The database user must own the tables.
 */
public final class PartitionedPurgeStore implements PurgeStore {

    private static final Logger log = LoggerFactory.getLogger(PartitionedPurgeStore.class);

    private static final Duration STATEMENT_LIMIT = Duration.ofSeconds(20);
    private static final int FINISH = 0;
    private static final int ROUNDS_AHEAD = 3;
    private static final String NOT_NOW =
            "Partitions could not be made or dropped; tried again with every round. Nothing"
                    + " is lost: what finds no partition goes into the one for the rest. The database user must own the tables, and"
                    + " no transaction that uses them may stay open for longer than " + STATEMENT_LIMIT.toSeconds()
                    + " s";

    private final PurgeTransactions transactions;
    private final TableNames names;
    private final PurgeSettings settings;
    private final long partitionSize;
    private final Duration statementLimit;
    private final Map<String, PurgeWalk> walks = new HashMap<>();
    private @Nullable Queue<PurgeWalk> toWalk;
    private long lastNumber;
    private long ahead;
    private final BitSet failing = new BitSet();
    private final BitSet failedInRound = new BitSet();

    /**
     * @param dataSource the outbox's own
     * @param names where the tables live
     * @param partitionSize numbers in one partition that it makes
     */
    public PartitionedPurgeStore(DataSource dataSource, TableNames names, PurgeSettings settings, long partitionSize) {
        this(dataSource, names, settings, partitionSize, STATEMENT_LIMIT);
    }

    PartitionedPurgeStore(
            DataSource dataSource,
            TableNames names,
            PurgeSettings settings,
            long partitionSize,
            Duration statementLimit) {
        this.transactions = new PurgeTransactions(dataSource, names);
        this.statementLimit = statementLimit;
        this.names = names;
        this.settings = settings;
        this.partitionSize = partitionSize;
    }

    @Override
    public Step step() {
        return transactions.asOwner(toWalk == null ? this::partitions : this::walk);
    }

    @Override
    public void restart() {
        toWalk = null;
        walks.clear();
    }

    /** Does one thing to partitions, or finds that there is nothing to be done. */
    private Step partitions() {
        transactions.leaveNoSnapshot();
        try (Connection connection = transactions.dataSource().getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try {
                return partitions(new SingleConnectionDataSource(connection, true));
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            throw new DataAccessResourceFailureException("No second connection for the partitions", e);
        }
    }

    private Step partitions(DataSource connection) {
        JdbcTemplate jdbc = new JdbcTemplate(connection);
        jdbc.setQueryTimeout((int) statementLimit.toSeconds());
        Partitions partitions = new Partitions(names, jdbc);
        OldPartitions old = new OldPartitions(partitions, jdbc, settings.retention());
        TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(connection));
        PartitionsAhead more = new PartitionsAhead(partitions, jdbc, transaction, partitionSize);
        OptionalInt done = firstDone(List.of(
                old::finish, () -> more.extend(ahead) ? OptionalInt.of(0) : OptionalInt.empty(), old::dropNext));
        if (done.isPresent()) {
            return new Step(done.getAsInt(), false);
        }
        remember(partitions.lastNumber());
        toWalk = walks(partitions, old.toBeWalked());
        return endOrGoOn(0);
    }

    /** What can't be done now is tried again in the next round, and what does not hang on it is done all the same. */
    private OptionalInt firstDone(List<Supplier<OptionalInt>> works) {
        for (int work = 0; work < works.size() && !failedInRound.get(FINISH); work++) {
            OptionalInt done = failedInRound.get(work) ? OptionalInt.empty() : trying(work, works.get(work));
            if (done.isPresent()) {
                return done;
            }
        }
        return OptionalInt.empty();
    }

    private OptionalInt trying(int work, Supplier<OptionalInt> attempt) {
        try {
            OptionalInt done = attempt.get();
            failing.clear(work);
            return done;
        } catch (DataAccessException e) {
            failedInRound.set(work);
            if (!failing.get(work)) {
                failing.set(work);
                log.error(NOT_NOW, e);
            }
            return OptionalInt.empty();
        }
    }

    /** Where more than a partition is filled in a round, two ahead would not be enough. */
    private void remember(long number) {
        ahead = lastNumber == 0 ? 0 : ROUNDS_AHEAD * (number - lastNumber);
        lastNumber = number;
    }

    private Queue<PurgeWalk> walks(Partitions partitions, List<Partition> walked) {
        walks.keySet().retainAll(walked.stream().map(Partition::suffix).toList());
        Queue<PurgeWalk> queue = new ArrayDeque<>();
        for (Partition partition : walked) {
            queue.add(walks.computeIfAbsent(
                    partition.suffix(),
                    suffix -> new PurgeWalk(
                            transactions.jdbc(),
                            settings,
                            partitions.qualified("delivery", suffix),
                            partitions.qualified("event", suffix))));
        }
        return queue;
    }

    private Step walk() {
        Queue<PurgeWalk> queue = toWalk;
        PurgeWalk next = queue == null ? null : queue.peek();
        if (queue == null || next == null) {
            return endOrGoOn(0);
        }
        Step step = next.step();
        if (step.last()) {
            queue.remove();
        }
        return endOrGoOn(step.removed());
    }

    private Step endOrGoOn(int removed) {
        boolean last = toWalk == null || toWalk.isEmpty();
        if (last) {
            toWalk = null;
            failedInRound.clear();
        }
        return new Step(removed, last);
    }
}
