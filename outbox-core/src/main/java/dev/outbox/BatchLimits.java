package dev.outbox;

/**
 * Bounds of one read.
 *
 * @param records the most records, at least 1
 * @param bytes the most payload bytes, at least 1; of retries and of fresh records the first is read whatever its size
 */
public record BatchLimits(int records, long bytes) {

    public BatchLimits {
        if (records < 1) {
            throw new IllegalArgumentException("batch size: " + records + ", at least 1 required");
        }
        if (bytes < 1) {
            throw new IllegalArgumentException("batch bytes: " + bytes + ", at least 1 required");
        }
    }
}
