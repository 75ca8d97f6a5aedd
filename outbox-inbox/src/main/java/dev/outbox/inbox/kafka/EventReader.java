package dev.outbox.inbox.kafka;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.ReceivedEvent;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Reads from a record which event it is. */
final class EventReader {

    private final EventIds eventIds;
    private final CloudEventHeaders envelope;

    EventReader(EventIds eventIds) {
        this.eventIds = eventIds;
        this.envelope = new CloudEventHeaders(eventIds);
    }

    /**
     * @throws UnusableRecordException if the record has no usable id or no payload
     */
    ReceivedEvent read(ConsumerRecord<byte[], byte[]> record) {
        ReceivedEvent event = new ReceivedEvent(envelope.read(record), record);
        if (record.value() == null) {
            throw new UnusableRecordException("The record has no payload: its value is null");
        }
        return event;
    }

    /** Returns what the envelope says, whatever the payload is like, or null if the record has no usable id. */
    @Nullable
    EventMetadata findMetadata(ConsumerRecord<?, ?> record) {
        return findId(record) == null ? null : envelope.read(record);
    }

    /** Returns the event's id if the record has a usable one. */
    @Nullable
    UUID findId(ConsumerRecord<?, ?> record) {
        return eventIds.find(record);
    }
}
