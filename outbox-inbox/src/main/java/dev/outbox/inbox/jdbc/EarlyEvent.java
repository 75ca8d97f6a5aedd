package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.RecordPosition;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * An event that was kept because a version before it was missing.
 *
 * @param record null if the version was settled elsewhere, so that nothing is to be applied
 * @param attempts how often it has failed
 * @param receivedAt when it came, by the database's clock
 */
record EarlyEvent(
        Aggregate aggregate,
        long version,
        UUID eventId,
        @Nullable ConsumerRecord<byte[], byte[]> record,
        int attempts,
        OffsetDateTime receivedAt) {

    static RecordPosition position(ConsumerRecord<byte[], byte[]> record) {
        return new RecordPosition(record.topic(), record.partition(), record.offset());
    }

    /** Says which event it is, and nothing of its content. */
    @Override
    public String toString() {
        return "event " + eventId + ", version " + version + " of " + aggregate;
    }
}
