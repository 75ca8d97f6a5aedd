package dev.outbox.relay;

import dev.outbox.Aggregate;
import dev.outbox.BatchLimits;
import java.time.Duration;

/**
 * How a relay works.
 *
 * @param workers threads that claim and publish, at least 1; each needs one connection and, for moments, a second one
 * @param lanesPerClaim the most lanes that a worker holds at once, 1 to 64; fewer leave more to other instances
 * @param batch bounds of one read
 * @param polling how often to look when nothing wakes the relay
 * @param retry what to do with records that fail
 * @param shutdownTimeout how long a stop waits for acknowledgements
 */
public record RelaySettings(
        int workers, int lanesPerClaim, BatchLimits batch, Polling polling, Retry retry, Duration shutdownTimeout) {

    public static final int DEFAULT_WORKERS = 1;
    public static final int DEFAULT_LANES_PER_CLAIM = 16;
    public static final int DEFAULT_BATCH_SIZE = 1_000;
    public static final int DEFAULT_BATCH_BYTES = 8 * 1024 * 1024;
    public static final Duration DEFAULT_SHUTDOWN_TIMEOUT = Duration.ofSeconds(20);

    public RelaySettings {
        requireRange("workers", workers, 1, Aggregate.LANES);
        requireRange("lanes per claim", lanesPerClaim, 1, Aggregate.LANES);
        requirePositive("shutdown timeout", shutdownTimeout);
    }

    /** The settings of a relay that nobody configured. */
    public static RelaySettings defaults() {
        return new RelaySettings(
                DEFAULT_WORKERS,
                DEFAULT_LANES_PER_CLAIM,
                new BatchLimits(DEFAULT_BATCH_SIZE, DEFAULT_BATCH_BYTES),
                Polling.defaults(),
                Retry.defaults(),
                DEFAULT_SHUTDOWN_TIMEOUT);
    }

    private static void requireRange(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + ": " + value + ", must be from " + least + " to " + most);
        }
    }

    private static void requirePositive(String name, Duration value) {
        if (value.toMillis() < 1) {
            throw new IllegalArgumentException(name + ": " + value + ", at least 1 ms required");
        }
    }

    private static void requireOrdered(String name, Duration least, Duration most) {
        requirePositive(name, least);
        if (least.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + ": " + least + " exceeds its maximum " + most);
        }
    }

    /**
     * Waits between passes that found nothing. The wait doubles from the shortest to the longest; work or a wake-up starts
     * it over.
     *
     * @param minInterval the shortest wait
     * @param maxInterval the longest wait: how late another instance's events may be noticed
     */
    public record Polling(Duration minInterval, Duration maxInterval) {

        public static final Duration DEFAULT_MIN_INTERVAL = Duration.ofMillis(50);
        public static final Duration DEFAULT_MAX_INTERVAL = Duration.ofSeconds(1);

        public Polling {
            requireOrdered("polling interval", minInterval, maxInterval);
        }

        public static Polling defaults() {
            return new Polling(DEFAULT_MIN_INTERVAL, DEFAULT_MAX_INTERVAL);
        }
    }

    /**
     * Retries of a record that failed by itself: the delay doubles from attempt to attempt and is spread at random by half
     * of itself in both directions.
     *
     * @param maxAttempts after so many the record is parked, at least 1
     * @param initialDelay before the second attempt
     * @param maxDelay the longest delay
     * @param unavailableDelay before a record is tried again that could not be sent because its topic or the broker was
     *     unavailable, which costs no attempt
     */
    public record Retry(int maxAttempts, Duration initialDelay, Duration maxDelay, Duration unavailableDelay) {

        public static final int DEFAULT_MAX_ATTEMPTS = 10;
        public static final Duration DEFAULT_INITIAL_DELAY = Duration.ofSeconds(1);
        public static final Duration DEFAULT_MAX_DELAY = Duration.ofMinutes(5);
        public static final Duration DEFAULT_UNAVAILABLE_DELAY = Duration.ofSeconds(5);

        public Retry {
            requireRange("max attempts", maxAttempts, 1, Integer.MAX_VALUE);
            requireOrdered("retry delay", initialDelay, maxDelay);
            requirePositive("unavailable delay", unavailableDelay);
        }

        public static Retry defaults() {
            return new Retry(DEFAULT_MAX_ATTEMPTS, DEFAULT_INITIAL_DELAY, DEFAULT_MAX_DELAY, DEFAULT_UNAVAILABLE_DELAY);
        }
    }
}
