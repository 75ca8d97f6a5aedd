package dev.outbox.inbox;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * An event as it arrived.
 *
 * @param metadata what its envelope says
 * @param record the record as Kafka delivered it
 */
public record ReceivedEvent(EventMetadata metadata, ConsumerRecord<byte[], byte[]> record) {

    /** Says which event it is and where, and nothing of its content. */
    @Override
    public String toString() {
        return "event " + metadata.eventId() + " at " + metadata.position();
    }
}
