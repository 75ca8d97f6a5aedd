package dev.outbox.jdbc;

import dev.outbox.Ordering;
import java.time.Duration;

/**
 * How deliveries are claimed and written down.
 *
 * @param claimMode what holds a lane
 * @param publishTimeout the longest time from sending a record to knowing how it ended
 * @param lease how long a lane is held without a sign of life of its holder; longer than {@code publishTimeout}, so that
 *     nothing is under way any more when somebody else takes it
 * @param ordering how far the order of an aggregate is kept
 * @param deletePublished whether published records are deleted at once instead of marked
 */
public record StoreSettings(
        ClaimMode claimMode, Duration publishTimeout, Duration lease, Ordering ordering, boolean deletePublished) {

    public static final ClaimMode DEFAULT_CLAIM_MODE = ClaimMode.LOCK;
    public static final Duration DEFAULT_LEASE = Duration.ofMinutes(1);

    public StoreSettings {
        if (lease.compareTo(publishTimeout) <= 0) {
            throw new IllegalArgumentException("lease: " + lease.toMillis() + " ms, but publishing a record may take "
                    + publishTimeout.toMillis() + " ms (max.block.ms + delivery.timeout.ms); a lease must outlast that,"
                    + " or two relays could publish for one lane");
        }
    }

    /** Locks, strict order, marks. */
    public static StoreSettings defaults(Duration publishTimeout) {
        return new StoreSettings(DEFAULT_CLAIM_MODE, publishTimeout, DEFAULT_LEASE, Ordering.STRICT, false);
    }

    /** How long after a sign of life something may be sent: it ends before the lane can be taken. */
    Duration sending() {
        return lease.minus(publishTimeout);
    }
}
