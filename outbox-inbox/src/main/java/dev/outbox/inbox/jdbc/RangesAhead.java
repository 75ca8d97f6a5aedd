package dev.outbox.inbox.jdbc;

import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Makes ranges before they are needed, by cutting them off the partition {@code ahead}.
 *
 * <p>That one is normally empty; then it is taken off, cut and put back while nobody is held up. Where something stands in
 * it, or time has come near it, that is done under a lock on the whole table, which is waited for and held for moments
 * only.
 */
final class RangesAhead {

    private static final Logger LOG = LoggerFactory.getLogger(RangesAhead.class);

    private static final int LEAST = 2;
    private static final int MADE = 7;

    private final IdPartitions partitions;
    private final TransactionTemplate transaction;
    private final long period;
    private final Duration retention;

    RangesAhead(IdPartitions partitions, TransactionTemplate transaction, Duration period, Duration retention) {
        this.partitions = partitions;
        this.transaction = transaction;
        this.period = period.toMillis();
        this.retention = retention;
    }

    /** Makes ranges up to seven periods from now, if fewer than two are left. Ends what was interrupted. Not in a transaction. */
    void extend() {
        long now = partitions.now();
        Optional<IdPartition> ahead = partitions.find(IdPartition.AHEAD);
        boolean whole = ahead.filter(IdPartition::isInPlace).isPresent();
        if (whole && ahead.orElseThrow().range().from() >= now + LEAST * period) {
            return;
        }
        if (whole && isNear(ahead.orElseThrow(), now)) {
            transaction.executeWithoutResult(status -> {
                partitions.lockWhole();
                partitions.detachAtOnce(ahead.orElseThrow());
                cut(now);
            });
            return;
        }
        ahead.filter(IdPartition::attached).ifPresent(partitions::detachConcurrently);
        transaction.executeWithoutResult(status -> cut(now));
    }

    /** Whether somebody could look for it while it is off. */
    private boolean isNear(IdPartition ahead, long now) {
        return ahead.range().from() < now + period || !partitions.isEmpty(ahead);
    }

    /** With {@code ahead} taken off. What stands in it stays where it is as far as it can. */
    private void cut(long now) {
        boolean first = partitions.find(IdPartition.OLD).isEmpty();
        long from = first ? border(now - retention.toMillis()) : firstAbove();
        Optional<IdPartition> ahead = partitions.find(IdPartition.AHEAD);
        boolean used = ahead.isPresent() && !partitions.isEmpty(ahead.get());
        String kept = first ? IdPartition.OLD : IdPartition.name(from);
        long upper = used ? border(Math.max(now, from)) : from;
        if (used) {
            LOG.debug("What stands in {} becomes partition {}", IdPartition.table(IdPartition.AHEAD), kept);
            partitions.rename(ahead.orElseThrow(), kept);
        } else {
            ahead.ifPresent(partitions::drop);
        }
        make(upper, border(now) + MADE * period);
        if (used) {
            partitions.moveAbove(kept, upper);
        } else if (first) {
            partitions.create(kept);
        }
        if (used || first) {
            partitions.attach(kept, IdRange.of(first ? IdRange.FIRST : from, upper));
        }
    }

    private void make(long from, long until) {
        long next = from;
        while (next < until) {
            long upper = border(next);
            partitions.create(IdPartition.name(next));
            partitions.attach(IdPartition.name(next), IdRange.of(next, upper));
            next = upper;
        }
        partitions.create(IdPartition.AHEAD);
        partitions.attach(IdPartition.AHEAD, IdRange.of(next, IdRange.FAR));
    }

    /** Above the last range, or above {@code old} if there is none. */
    private long firstAbove() {
        return partitions.list().stream()
                .filter(partition -> partition.isRange() || partition.suffix().equals(IdPartition.OLD))
                .map(partition -> partition.range().to())
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** The next border between two ranges. They may have been made with another period. */
    private long border(long time) {
        return (time / period + 1) * period;
    }
}
