package dev.outbox.inbox;

import java.time.Duration;

/**
 * How consumers with {@link VersionPolicy#STRICT} keep early events.
 *
 * @param maxEarlyPerAggregate most early events that are kept of one aggregate, 1 to 100,000. One more is dead-lettered
 * @param maxEarlyPerConsumer most early events that are kept for one consumer, 1 to 1,000,000. One more is dead-lettered;
 *     consumers that work at the same moment may exceed it by a few
 * @param timeout how long an early event waits for a missing version, by the database's clock, at least 100 ms. It does
 *     not end before this application has looked after early events without a failure for 5 minutes, or for the timeout if
 *     that is shorter, because after an outage the missing version may be about to come
 * @param onTimeout what becomes of the event then
 * @param period wait between two looks at early events, 100 ms to 1 minute. Those that failed are tried again, and those
 *     that a crash has left behind are found, by such a look
 */
public record VersionSettings(
        int maxEarlyPerAggregate,
        int maxEarlyPerConsumer,
        Duration timeout,
        VersionTimeout onTimeout,
        Duration period) {

    /** Most early events of one aggregate. */
    public static final int DEFAULT_MAX_EARLY_PER_AGGREGATE = 1_000;

    /** Most early events of one consumer. */
    public static final int DEFAULT_MAX_EARLY_PER_CONSUMER = 10_000;

    /** How long an early event waits for a missing version. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofHours(1);

    /** What becomes of it then. */
    public static final VersionTimeout DEFAULT_ON_TIMEOUT = VersionTimeout.DEAD_LETTER;

    /** Wait between two looks at early events. */
    public static final Duration DEFAULT_PERIOD = Duration.ofSeconds(5);

    private static final int LIMIT_PER_AGGREGATE = 100_000;
    private static final int LIMIT_PER_CONSUMER = 1_000_000;
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST_PERIOD = Duration.ofMinutes(1);

    /**
     * @throws IllegalArgumentException if a value is out of its range
     */
    public VersionSettings {
        if (maxEarlyPerAggregate < 1 || maxEarlyPerAggregate > LIMIT_PER_AGGREGATE) {
            throw new IllegalArgumentException("The most early events of an aggregate must be between 1 and "
                    + LIMIT_PER_AGGREGATE + ", not " + maxEarlyPerAggregate);
        }
        if (maxEarlyPerConsumer < 1 || maxEarlyPerConsumer > LIMIT_PER_CONSUMER) {
            throw new IllegalArgumentException("The most early events of a consumer must be between 1 and "
                    + LIMIT_PER_CONSUMER + ", not " + maxEarlyPerConsumer);
        }
        if (timeout.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(
                    "The timeout of early events must be at least " + SHORTEST + ", not " + timeout);
        }
        if (period.compareTo(SHORTEST) < 0 || period.compareTo(LONGEST_PERIOD) > 0) {
            throw new IllegalArgumentException("The period of looks at early events must be between " + SHORTEST
                    + " and " + LONGEST_PERIOD + ", not " + period);
        }
    }

    /** Returns the default of each setting. */
    public static VersionSettings defaults() {
        return new VersionSettings(
                DEFAULT_MAX_EARLY_PER_AGGREGATE,
                DEFAULT_MAX_EARLY_PER_CONSUMER,
                DEFAULT_TIMEOUT,
                DEFAULT_ON_TIMEOUT,
                DEFAULT_PERIOD);
    }
}
