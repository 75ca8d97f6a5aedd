package dev.outbox.inbox;

import java.time.Duration;

/**
 * The inbox remembers what was processed for as long as the retention says ({@link PurgeSettings#retention()}). These are
 * the settings for what is older.
 *
 * @param outside what is done with such an event, unless {@link IdempotentListener#outsideWindow()} says otherwise
 * @param check what is done about topics that keep records for longer than the inbox remembers them
 * @param longestRedrive longest time after which a record may be processed once more, not negative; the retention should
 *     be at least that of the topic and this
 */
public record WindowSettings(OutsideWindow outside, RetentionCheck check, Duration longestRedrive) {

    /** What is done with an event that is older than what the inbox remembers. */
    public static final OutsideWindow DEFAULT_OUTSIDE = OutsideWindow.PROCESS;

    /** What is done about topics that keep records for longer. */
    public static final RetentionCheck DEFAULT_CHECK = RetentionCheck.WARN;

    /** Longest time until a redrive: what the inbox's default retention has more than Kafka's. */
    public static final Duration DEFAULT_LONGEST_REDRIVE = Duration.ofDays(1);

    /**
     * @throws IllegalArgumentException if a value is out of its range
     */
    public WindowSettings {
        if (longestRedrive.isNegative()) {
            throw new IllegalArgumentException(
                    "The longest time until a redrive must not be negative, which " + longestRedrive + " is");
        }
    }

    /** Returns the default of each setting. */
    public static WindowSettings defaults() {
        return new WindowSettings(DEFAULT_OUTSIDE, DEFAULT_CHECK, DEFAULT_LONGEST_REDRIVE);
    }
}
