package dev.outbox.inbox.kafka;

import dev.outbox.inbox.RecordPosition;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record that could not be processed this time.
 *
 * @param eventId null if the record has no usable id
 */
record FailedDelivery(ConsumerRecord<?, ?> record, @Nullable UUID eventId, Exception cause) {

    RecordPosition position() {
        return new RecordPosition(record.topic(), record.partition(), record.offset());
    }

    /** Says which event it is and where, and nothing of its content. */
    @Override
    public String toString() {
        return "event " + (eventId == null ? "without id" : eventId) + " at " + position();
    }
}
