package dev.outbox.inbox.jdbc;

import dev.outbox.postgresql.TableNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Empties ranges of which everything was processed before the retention, whatever the ids tell, and then makes them part of
 * {@code old}, so that events of that time still find a place.
 *
 * <p>A range is looked at again under a lock that nobody else can hold who has recorded something in it and not yet ended
 * its transaction. Nobody waits for that lock unless he records events of that range.
 */
final class OldRanges {

    private static final Logger LOG = LoggerFactory.getLogger(OldRanges.class);

    private static final int MOST_EMPTY = 30;

    private static final String ALL_OLD = """
            SELECT coalesce((SELECT max(processed_at) FROM %s)
                            < statement_timestamp() - make_interval(secs => :retention), true)
            """;

    private static final String COUNT = "SELECT count(*) FROM %s";

    private final IdPartitions partitions;
    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final Duration retention;
    private final DeadLetterQueries deadLetters;

    OldRanges(
            IdPartitions partitions,
            TableNames names,
            JdbcTemplate jdbc,
            TransactionTemplate transaction,
            Duration retention) {
        this.partitions = partitions;
        this.jdbc = JdbcClient.create(jdbc);
        this.transaction = transaction;
        this.retention = retention;
        this.deadLetters = new DeadLetterQueries(this.jdbc, names);
    }

    /**
     * Empties all that can be emptied. Not in a transaction.
     *
     * @param emptied is told how many events each had
     * @throws DataAccessException if one could not be emptied, after the others
     */
    void empty(LongConsumer emptied) {
        @Nullable DataAccessException failure = null;
        for (IdPartition range : over()) {
            try {
                if (!partitions.isEmpty(range) && isAllOld(range) && !hasOpenDeadLetter(range)) {
                    emptied.accept(empty(range));
                }
            } catch (DataAccessException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Makes the lowest ranges, as far as they are over and empty, part of {@code old}. That needs a lock on the whole table,
     * for which it can wait: an empty range costs next to nothing. Not in a transaction.
     *
     * @throws DataAccessException if it can't be done and the empty ranges have become many
     */
    void merge() {
        List<IdPartition> empty = new ArrayList<>();
        for (IdPartition range : over()) {
            if (!partitions.isEmpty(range)) {
                break;
            }
            empty.add(range);
        }
        if (empty.isEmpty()) {
            return;
        }
        try {
            transaction.executeWithoutResult(status -> merge(empty));
        } catch (DataAccessException e) {
            if (empty.size() > MOST_EMPTY) {
                throw e;
            }
            LOG.debug("{} empty ranges could not be merged yet", empty.size(), e);
        }
    }

    /** The ranges that are old but for events whose dead letter is open. */
    List<IdPartition> keptForDeadLetters() {
        return over().stream()
                .filter(this::isAllOld)
                .filter(this::hasOpenDeadLetter)
                .toList();
    }

    /** Those whose time lies before the retention, so that no event of it is new. */
    private List<IdPartition> over() {
        long end = partitions.now() - retention.toMillis();
        return partitions.ranges().stream()
                .filter(range -> range.isInPlace() && range.range().to() <= end)
                .toList();
    }

    private long empty(IdPartition range) {
        long count = jdbc.sql(COUNT.formatted(partitions.qualified(range.suffix())))
                .query(Long.class)
                .single();
        Boolean done = transaction.execute(status -> {
            partitions.lock(range);
            boolean stillOld = isAllOld(range) && !hasOpenDeadLetter(range);
            if (stillOld) {
                partitions.truncate(range);
            }
            return stillOld;
        });
        return Boolean.TRUE.equals(done) ? count : 0;
    }

    private void merge(List<IdPartition> ranges) {
        partitions.lockWhole();
        partitions.find(IdPartition.OLD).ifPresent(partitions::detachAtOnce);
        for (IdPartition range : ranges) {
            partitions.detachAtOnce(range);
            // Somebody may have come in since.
            partitions.moveAll(range, IdPartition.OLD);
            partitions.drop(range);
        }
        long upper = ranges.get(ranges.size() - 1).range().to();
        partitions.attach(IdPartition.OLD, IdRange.of(IdRange.FIRST, upper));
    }

    private boolean isAllOld(IdPartition range) {
        return jdbc.sql(ALL_OLD.formatted(partitions.qualified(range.suffix())))
                .param("retention", retention.toMillis() / 1000.0)
                .query(Boolean.class)
                .single();
    }

    private boolean hasOpenDeadLetter(IdPartition range) {
        return deadLetters.anyBetween(
                IdRange.firstId(range.range().from()),
                IdRange.firstId(range.range().to()));
    }
}
