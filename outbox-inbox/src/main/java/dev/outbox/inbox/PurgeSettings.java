package dev.outbox.inbox;

import java.time.Duration;

/**
 * How long processed events are remembered. An event that arrives again later than that has its effect again, so the
 * retention should outlast that of the topics and the longest time until a redrive.
 *
 * @param retention age, by the database's clock, at which a processed event is forgotten; at least 1 second
 * @param period wait between two purges, at least 100 ms
 * @param batchSize most rows that one transaction deletes, 1 to 100,000
 */
public record PurgeSettings(Duration retention, Duration period, int batchSize) {

    /** Age at which a processed event is forgotten: a day more than Kafka's default retention. */
    public static final Duration DEFAULT_RETENTION = Duration.ofDays(8);

    /** Wait between two purges. */
    public static final Duration DEFAULT_PERIOD = Duration.ofMinutes(1);

    /** Most rows that one transaction deletes. */
    public static final int DEFAULT_BATCH_SIZE = 1_000;

    private static final int MAX_BATCH_SIZE = 100_000;

    /**
     * @throws IllegalArgumentException if a value is out of its range
     */
    public PurgeSettings {
        if (retention.toSeconds() < 1) {
            throw new IllegalArgumentException("The retention must be at least 1 second, not " + retention);
        }
        if (period.toMillis() < 100) {
            throw new IllegalArgumentException("The period of the purge must be at least 100 ms, not " + period);
        }
        if (batchSize < 1 || batchSize > MAX_BATCH_SIZE) {
            throw new IllegalArgumentException(
                    "The batch size of the purge must be between 1 and " + MAX_BATCH_SIZE + ", not " + batchSize);
        }
    }

    /** Returns the default of each setting. */
    public static PurgeSettings defaults() {
        return new PurgeSettings(DEFAULT_RETENTION, DEFAULT_PERIOD, DEFAULT_BATCH_SIZE);
    }
}
