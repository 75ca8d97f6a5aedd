package dev.outbox.jdbc;

import dev.outbox.jdbc.Partitions.Partition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Drops partitions of which everything is published or discarded and older than the retention.
 *
 * <p>A partition of deliveries is taken off first, which waits for every transaction that uses the table, and then looked
 * at again: a transaction with a number of that range may have committed meanwhile, and then the partition is put back.
 * Only what nobody can write any more is dropped, and the events after their deliveries. Each step can be the last one; the
 * next call goes on from there.
 */
final class OldPartitions {

    private static final Logger log = LoggerFactory.getLogger(OldPartitions.class);

    /* By the partial indexes, in their order. */
    private static final String UNFINISHED = """
            SELECT (SELECT seq FROM %1$s WHERE published_at IS NULL AND NOT waiting AND parked_at IS NULL
                    ORDER BY lane, seq LIMIT 1) IS NOT NULL
                OR (SELECT seq FROM %1$s WHERE published_at IS NULL AND waiting
                    ORDER BY lane, aggregate_hash, seq LIMIT 1) IS NOT NULL
                OR (SELECT seq FROM %1$s WHERE published_at IS NULL AND parked_at IS NOT NULL AND discarded_at IS NULL
                    ORDER BY parked_at LIMIT 1) IS NOT NULL
            """;

    private static final String NEWEST_IS_OLD = """
            SELECT coalesce((SELECT created_at <= now() - :retention * interval '1 millisecond'
                             FROM %1$s ORDER BY seq DESC LIMIT 1), true)
            """;

    private static final String HAS_YOUNG = "SELECT EXISTS (SELECT FROM %1$s WHERE (%2$s) IS NOT TRUE)";

    private static final String COUNT = "SELECT count(*) FROM %1$s";

    private final Partitions partitions;
    private final JdbcClient jdbc;
    private final Duration retention;

    OldPartitions(Partitions partitions, JdbcTemplate jdbc, Duration retention) {
        this.partitions = partitions;
        this.jdbc = JdbcClient.create(jdbc);
        this.retention = retention;
    }

    /**
     * Ends what was interrupted, which stands in the way of all else: one partition of a table can be taken off at a time.
     * Returns how many records are gone, or nothing if there was nothing to end. Not in a transaction.
     */
    OptionalInt finish() {
        List<Partition> deliveries = ranges("delivery");
        for (Partition range : deliveries) {
            if (!range.isInPlace()) {
                return OptionalInt.of(drop(range));
            }
        }
        for (Partition events : ranges("event")) {
            if (deliveries.stream().noneMatch(other -> other.suffix().equals(events.suffix()))) {
                takeOff(events);
                partitions.drop(events);
                return OptionalInt.of(0);
            }
        }
        return OptionalInt.empty();
    }

    /** Drops the next one and returns how many records it had, or nothing if there is none. Not in a transaction. */
    OptionalInt dropNext() {
        for (Partition range : ranges("delivery")) {
            if (isOver(range) && !isUnfinished(range) && !hasYoung(range)) {
                return OptionalInt.of(drop(range));
            }
        }
        return OptionalInt.empty();
    }

    /** The partitions that are old but for records that have to stay, and the rest if anything stands there. */
    List<Partition> toBeWalked() {
        List<Partition> found = new ArrayList<>();
        for (Partition partition : partitions.list("delivery")) {
            if (partition.isInPlace() && (partition.isRest() || (isOver(partition) && isUnfinished(partition)))) {
                found.add(partition);
            }
        }
        return found;
    }

    private List<Partition> ranges(String table) {
        return partitions.list(table).stream()
                .filter(partition -> !partition.isRest())
                .toList();
    }

    private int drop(Partition deliveries) {
        takeOff(deliveries);
        if (hasYoung(deliveries)) {
            partitions.attach("delivery", deliveries.suffix(), deliveries.lower(), partitions.upper(deliveries));
            log.info(
                    "Partition {} is kept: a transaction that was open for longer than {} has written to it",
                    deliveries.suffix(),
                    retention);
            return 0;
        }
        int count = jdbc.sql(COUNT.formatted(partitions.qualified(deliveries)))
                .query(Integer.class)
                .single();
        partitions.drop(deliveries);
        return count;
    }

    private void takeOff(Partition partition) {
        if (partition.pending()) {
            partitions.finishDetaching(partition);
        } else if (partition.attached()) {
            partitions.detachConcurrently(partition);
        }
    }

    /** Whether its numbers are all drawn and its newest event is old. */
    private boolean isOver(Partition deliveries) {
        return deliveries.upper() <= partitions.lastNumber() + 1
                && is(NEWEST_IS_OLD.formatted(partitions.qualified("event", deliveries.suffix())));
    }

    private boolean isUnfinished(Partition deliveries) {
        return jdbc.sql(UNFINISHED.formatted(partitions.qualified(deliveries)))
                .query(Boolean.class)
                .single();
    }

    private boolean hasYoung(Partition deliveries) {
        return is(HAS_YOUNG.formatted(partitions.qualified(deliveries), PurgeWalk.OLD));
    }

    private boolean is(String question) {
        return jdbc.sql(question)
                .param("retention", retention.toMillis())
                .query(Boolean.class)
                .single();
    }
}
