package dev.outbox;

import java.time.Duration;

/**
 * How long published and discarded records are kept.
 *
 * @param retention age, by the database's clock and counted from publishing or discarding, at which a record is removed;
 *     0 for at once
 * @param period from the end of one round to the beginning of the next, at least 100 ms
 * @param batchSize the most records that one transaction removes, 1 to 100,000
 */
public record PurgeSettings(Duration retention, Duration period, int batchSize) {

    public static final Duration DEFAULT_RETENTION = Duration.ofDays(7);
    public static final Duration DEFAULT_PERIOD = Duration.ofMinutes(1);
    public static final int DEFAULT_BATCH_SIZE = 1_000;

    private static final int MAX_BATCH_SIZE = 100_000;

    /**
     * @throws IllegalArgumentException if a value is out of its range
     */
    public PurgeSettings {
        if (retention.isNegative()) {
            throw new IllegalArgumentException("retention: " + retention + ", must not be negative");
        }
        if (period.toMillis() < 100) {
            throw new IllegalArgumentException("period of the purge: " + period + ", at least 100 ms required");
        }
        if (batchSize < 1 || batchSize > MAX_BATCH_SIZE) {
            throw new IllegalArgumentException(
                    "batch size of the purge: " + batchSize + ", must be from 1 to " + MAX_BATCH_SIZE);
        }
    }

    /** The settings of a purge that nobody configured. */
    public static PurgeSettings defaults() {
        return new PurgeSettings(DEFAULT_RETENTION, DEFAULT_PERIOD, DEFAULT_BATCH_SIZE);
    }
}
