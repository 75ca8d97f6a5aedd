package dev.outbox.jdbc;

import dev.outbox.jdbc.Partitions.Partition;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Makes partitions before they are needed, by cutting pieces off the {@code rest} that takes everything above.
 *
 * <p>The rest is normally empty and far above the numbers in use; then it is taken off, cut and put back while nobody is
 * held up. Where the numbers have come near it or into it, that is done under a lock on the whole tables, which is waited
 * for and held for moments only.
 */
final class PartitionsAhead {

    private static final Logger log = LoggerFactory.getLogger(PartitionsAhead.class);

    private static final List<String> TABLES = List.of("delivery", "event");
    private static final String LIMITS =
            "SELECT set_config('lock_timeout', '200ms', true), set_config('statement_timeout', '1s', true)";

    private final Partitions partitions;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final long size;

    PartitionsAhead(Partitions partitions, JdbcTemplate jdbc, TransactionTemplate transaction, long size) {
        this.partitions = partitions;
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.size = size;
    }

    /**
     * Makes the next partition if the rest begins less than two partitions, or {@code ahead} numbers, above the last
     * number.
     *
     * @return whether one was made
     */
    boolean extend(long ahead) {
        List<Partition> rests = TABLES.stream()
                .map(table -> partitions.find(table, Partitions.REST))
                .flatMap(Optional::stream)
                .toList();
        boolean whole = rests.size() == TABLES.size() && rests.stream().allMatch(Partition::isInPlace);
        long left = firstOfRest() - partitions.lastNumber();
        if (whole && left > Math.max(2 * size, ahead)) {
            return false;
        }
        boolean used = rests.stream().anyMatch(rest -> isUsed(rest.table(), Partitions.REST));
        if (whole && (used || left <= size)) {
            cutAtOnce(rests, used);
        } else {
            rests.forEach(this::takeOff);
            transaction.executeWithoutResult(status -> cut(firstOfRest()));
        }
        return true;
    }

    private void takeOff(Partition rest) {
        if (rest.pending()) {
            partitions.finishDetaching(rest);
        } else if (rest.attached()) {
            partitions.detachConcurrently(rest);
        }
    }

    private void cutAtOnce(List<Partition> rests, boolean used) {
        if (used) {
            log.warn(
                    "Appends have come to the partition for the rest before others were made; see 'outbox.schema.layout'"
                            + " in the operations guide. Nothing is lost, and it becomes a partition of its own now");
        }
        transaction.executeWithoutResult(status -> {
            jdbc.queryForList(LIMITS);
            partitions.lockWhole();
            long from = firstOfRest();
            rests.forEach(partitions::detachAtOnce);
            cut(from);
        });
    }

    /** With the rest of both tables taken off. What stands in it keeps it as its partition. */
    private void cut(long from) {
        boolean used = TABLES.stream()
                .anyMatch(
                        table -> partitions.find(table, Partitions.REST).isPresent() && isUsed(table, Partitions.REST));
        long upper = used ? (Math.max(from, partitions.lastNumber()) / size + 1) * size : from + size;
        for (String table : TABLES) {
            Optional<Partition> rest = partitions.find(table, Partitions.REST);
            if (used && rest.isPresent()) {
                partitions.rename(rest.get(), "p" + from);
            } else {
                rest.ifPresent(partitions::drop);
                partitions.create(table, "p" + from);
            }
            partitions.attach(table, "p" + from, from, upper);
            partitions.create(table, Partitions.REST);
            partitions.attach(table, Partitions.REST, upper, Long.MAX_VALUE);
        }
    }

    /** Above all partitions but the rest, or where that begins if it is the only one. */
    private long firstOfRest() {
        List<Partition> all = partitions.list("delivery");
        return all.stream()
                .filter(partition -> partition.attached() && !partition.isRest())
                .mapToLong(Partition::upper)
                .max()
                .orElseGet(() -> all.stream()
                        .filter(partition -> partition.attached() && partition.isRest())
                        .mapToLong(Partition::lower)
                        .findFirst()
                        .orElse(0));
    }

    private boolean isUsed(String table, String suffix) {
        return !jdbc.queryForList("SELECT 1 FROM " + partitions.qualified(table, suffix) + " LIMIT 1")
                .isEmpty();
    }
}
