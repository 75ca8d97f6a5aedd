package dev.outbox.inbox;

import java.time.Duration;

/**
 * What happens to a record whose processing failed. Its partition waits, others go on; the delay doubles from the first
 * to the longest, with jitter.
 *
 * @param attempts how often a record is processed before it is dead-lettered, at least 1. Failures whose cause is the
 *     database's state, not the record, are not counted: they are retried until the database is well again
 * @param firstDelay wait before the first retry, at least 1 ms
 * @param maxDelay longest wait between two attempts, at least the first delay and at most one hour
 */
public record RetrySettings(int attempts, Duration firstDelay, Duration maxDelay) {

    /** How often a record is processed before it is dead-lettered. */
    public static final int DEFAULT_ATTEMPTS = 10;

    /** Wait before the first retry. */
    public static final Duration DEFAULT_FIRST_DELAY = Duration.ofMillis(500);

    /** Longest wait between two attempts. */
    public static final Duration DEFAULT_MAX_DELAY = Duration.ofSeconds(30);

    private static final Duration LIMIT = Duration.ofHours(1);

    /**
     * @throws IllegalArgumentException if a value is out of its range
     */
    public RetrySettings {
        if (attempts < 1) {
            throw new IllegalArgumentException("The attempts must be at least 1, not " + attempts);
        }
        if (firstDelay.toMillis() < 1) {
            throw new IllegalArgumentException("The first delay must be at least 1 ms, not " + firstDelay);
        }
        if (maxDelay.compareTo(firstDelay) < 0 || maxDelay.compareTo(LIMIT) > 0) {
            throw new IllegalArgumentException("The longest delay must be between the first delay, which is "
                    + firstDelay + ", and " + LIMIT + ", not " + maxDelay);
        }
    }

    /** Returns the default of each setting. */
    public static RetrySettings defaults() {
        return new RetrySettings(DEFAULT_ATTEMPTS, DEFAULT_FIRST_DELAY, DEFAULT_MAX_DELAY);
    }
}
