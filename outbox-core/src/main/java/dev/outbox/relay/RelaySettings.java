package dev.outbox.relay;

import dev.outbox.Aggregate;
import dev.outbox.BatchLimits;
import dev.outbox.Ordering;
import java.time.Duration;
import java.util.Set;

/**
 * How a relay works.
 *
 * @param claims what it holds, and for how long
 * @param flow how much it reads and keeps under way
 * @param polling how often to look when nothing wakes the relay
 * @param retry what to do with records that fail
 * @param parking what follows from a record that is parked
 * @param shutdownTimeout how long a stop waits for acknowledgements
 */
public record RelaySettings(
        Claims claims, Flow flow, Polling polling, Retry retry, Parking parking, Duration shutdownTimeout) {

    public static final Duration DEFAULT_SHUTDOWN_TIMEOUT = Duration.ofSeconds(20);

    public RelaySettings {
        requirePositive("shutdown timeout", shutdownTimeout);
    }

    /** The settings of a relay that nobody configured. */
    public static RelaySettings defaults() {
        return new RelaySettings(
                Claims.defaults(),
                Flow.defaults(),
                Polling.defaults(),
                Retry.defaults(),
                Parking.defaults(),
                DEFAULT_SHUTDOWN_TIMEOUT);
    }

    private static void requireRange(String name, long value, long least, long most) {
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
     * What a relay holds.
     *
     * @param workers threads that claim and publish, at least 1; each needs one connection and, for moments, a second one
     * @param lanes the most lanes that a worker claims at once, 1 to 64; it claims more while it comes to the end of those it
     *     has, and while what it has sent is slow
     * @param tenure how long a worker keeps its lanes before it lets others have them, while there is something to do
     */
    public record Claims(int workers, int lanes, Duration tenure) {

        public static final int DEFAULT_WORKERS = 1;
        public static final int DEFAULT_LANES = 16;
        public static final Duration DEFAULT_TENURE = Duration.ofSeconds(2);

        public Claims {
            requireRange("workers", workers, 1, Aggregate.LANES);
            requireRange("lanes per claim", lanes, 1, Aggregate.LANES);
            requirePositive("tenure", tenure);
        }

        public static Claims defaults() {
            return new Claims(DEFAULT_WORKERS, DEFAULT_LANES, DEFAULT_TENURE);
        }
    }

    /**
     * How much is read and kept under way by one worker.
     *
     * @param ordering how far the order of an aggregate is kept
     * @param batchSize the most records of one read
     * @param batchBytes the most payload bytes of one read; a single larger record is read alone
     * @param inFlight the most records that were read and are not yet written down, at least {@code batchSize}
     * @param inFlightBytes their most payload bytes, at least {@code batchBytes}
     */
    public record Flow(Ordering ordering, int batchSize, long batchBytes, int inFlight, long inFlightBytes) {

        public static final Ordering DEFAULT_ORDERING = Ordering.STRICT;
        public static final int DEFAULT_BATCH_SIZE = 1_000;
        public static final int DEFAULT_BATCH_BYTES = 4 * 1024 * 1024;
        public static final int DEFAULT_IN_FLIGHT = 5_000;
        public static final int DEFAULT_IN_FLIGHT_BYTES = 16 * 1024 * 1024;

        public Flow {
            new BatchLimits(batchSize, batchBytes);
            requireRange("in-flight records", inFlight, batchSize, Integer.MAX_VALUE);
            requireRange("in-flight bytes", inFlightBytes, batchBytes, Long.MAX_VALUE);
        }

        public static Flow defaults() {
            return new Flow(
                    DEFAULT_ORDERING,
                    DEFAULT_BATCH_SIZE,
                    DEFAULT_BATCH_BYTES,
                    DEFAULT_IN_FLIGHT,
                    DEFAULT_IN_FLIGHT_BYTES);
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
     * Retries of a record that failed by itself: a random time between nothing and a limit that doubles from attempt to
     * attempt.
     *
     * @param maxAttempts after so many the record is parked, at least 1
     * @param initialDelay the limit before the second attempt
     * @param maxDelay the highest limit
     * @param unavailableDelay before a record is looked at again that could not be sent because its topic or the broker was
     *     unavailable, unless that takes records again before; it costs no attempt
     */
    public record Retry(int maxAttempts, Duration initialDelay, Duration maxDelay, Duration unavailableDelay) {

        public static final int DEFAULT_MAX_ATTEMPTS = 10;
        public static final Duration DEFAULT_INITIAL_DELAY = Duration.ofSeconds(1);
        public static final Duration DEFAULT_MAX_DELAY = Duration.ofMinutes(5);
        public static final Duration DEFAULT_UNAVAILABLE_DELAY = Duration.ofSeconds(30);

        public Retry {
            requireRange("max attempts", maxAttempts, 1, Integer.MAX_VALUE);
            requireOrdered("retry delay", initialDelay, maxDelay);
            requirePositive("unavailable delay", unavailableDelay);
        }

        public static Retry defaults() {
            return new Retry(DEFAULT_MAX_ATTEMPTS, DEFAULT_INITIAL_DELAY, DEFAULT_MAX_DELAY, DEFAULT_UNAVAILABLE_DELAY);
        }
    }

    /**
     * Where an aggregate goes on although one of its records is parked: an acknowledged break of its order, which is
     * written to the audit. Everywhere else it waits for the decision about that record.
     *
     * @param topics of these topics
     * @param eventTypes of these event types
     */
    public record Parking(Set<String> topics, Set<String> eventTypes) {

        public Parking {
            topics = Set.copyOf(topics);
            eventTypes = Set.copyOf(eventTypes);
        }

        /** Every aggregate waits. */
        public static Parking defaults() {
            return new Parking(Set.of(), Set.of());
        }
    }
}
