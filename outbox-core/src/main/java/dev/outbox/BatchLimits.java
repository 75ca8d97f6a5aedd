package dev.outbox;

/**
 * Bounds of one read.
 *
 * @param records the most records, at least 1
 * @param bytes the most payload bytes, at least 1; the first record is read whatever its size
 * @param perLane the most records of one lane that may be read and not yet written down, at least 1
 */
public record BatchLimits(int records, long bytes, int perLane) {

    public BatchLimits {
        requirePositive("batch size", records);
        requirePositive("batch bytes", bytes);
        requirePositive("records of a lane", perLane);
    }

    /** Without a bound for a lane. */
    public BatchLimits(int records, long bytes) {
        this(records, bytes, Integer.MAX_VALUE);
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + ", at least 1 required");
        }
    }
}
