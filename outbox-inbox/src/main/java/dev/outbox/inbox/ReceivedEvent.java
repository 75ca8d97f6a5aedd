package dev.outbox.inbox;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * An event as it arrived.
 *
 * @param metadata what its envelope says
 * @param record the record as Kafka delivered it
 * @param payload what the handler gets: the record's value, unless the envelope is part of that; null for a tombstone
 */
@SuppressWarnings("ArrayRecordComponent") // Values are not compared, and a copy of each payload would cost memory.
public record ReceivedEvent(EventMetadata metadata, ConsumerRecord<byte[], byte[]> record, byte @Nullable [] payload) {

    /** An event whose payload is the record's value. */
    public ReceivedEvent(EventMetadata metadata, ConsumerRecord<byte[], byte[]> record) {
        this(metadata, record, record.value());
    }

    /** Says which event it is and where, and nothing of its content. */
    @Override
    public String toString() {
        return "event " + metadata.eventId() + " at " + metadata.position();
    }
}
