package dev.outbox;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A record that waits for a decision: what an operator needs to make it, and never the payload.
 *
 * @param seq its place in the outbox, by which decisions name it
 * @param eventId the event's id
 * @param topic where it was to go
 * @param type what happened
 * @param aggregate what it happened to
 * @param parking how it came to be parked
 */
public record ParkedRecord(long seq, UUID eventId, String topic, EventType type, Aggregate aggregate, Parking parking) {

    /** Where the next page begins, if this is the last record of a page. */
    public Position position() {
        return new Position(parking.since(), seq);
    }

    /**
     * How a record came to be parked.
     *
     * @param since when, by the database's clock
     * @param attempts how often publishing had failed by the record's own fault
     * @param blocking whether later records of its aggregate wait for the decision
     * @param lastError the failure, cut to 1,000 characters
     */
    public record Parking(
            Instant since,
            int attempts,
            boolean blocking,
            @Nullable String lastError) {}

    /**
     * A place in the list of parked records, which is ordered by time and seq.
     *
     * @param since when the record was parked
     * @param seq its seq
     */
    public record Position(Instant since, long seq) {

        /** Before the first record. */
        public static final Position START = new Position(Instant.EPOCH, 0);
    }
}
