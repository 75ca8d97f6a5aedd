package dev.outbox.inbox;

import java.time.Duration;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * An event that cannot be processed.
 *
 * @param record the record as Kafka delivered it
 * @param metadata what its envelope says; null if it has no usable id
 * @param attempts how often processing it has failed, 0 or more
 * @param failingFor time since the first failure, not negative
 * @param cause the last failure
 */
public record FailedEvent(
        ConsumerRecord<byte[], byte[]> record,
        @Nullable EventMetadata metadata,
        int attempts,
        Duration failingFor,
        Throwable cause) {

    /**
     * @throws IllegalArgumentException if a value is out of its range
     */
    public FailedEvent {
        if (attempts < 0 || failingFor.isNegative()) {
            throw new IllegalArgumentException(
                    "attempts: " + attempts + ", and failing for " + failingFor + ", neither of which may be negative");
        }
    }

    /** Identity of the event; null if the record has no usable one. */
    public @Nullable UUID eventId() {
        return metadata == null ? null : metadata.eventId();
    }

    /** Says which event it is and where, and nothing of its content. */
    @Override
    public String toString() {
        return "event " + (metadata == null ? "without id" : metadata.eventId()) + " at "
                + new RecordPosition(record.topic(), record.partition(), record.offset());
    }
}
