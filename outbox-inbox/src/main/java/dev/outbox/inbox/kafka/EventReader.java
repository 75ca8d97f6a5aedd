package dev.outbox.inbox.kafka;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.InboxUnavailableException;
import dev.outbox.inbox.PermanentEventException;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.RecordPosition;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Reads from a record which event it is, the same on every call. Thread-safe. */
final class EventReader {

    private final List<EventExtractor> extractors;
    private final boolean tombstones;
    private final String idHeader;

    /**
     * @param extractors asked in this order
     * @param tombstones whether the handler takes events without a payload
     * @param idHeader where an id is usually found, for the error that none was found
     */
    EventReader(List<? extends EventExtractor> extractors, boolean tombstones, String idHeader) {
        this.extractors = List.copyOf(extractors);
        this.tombstones = tombstones;
        this.idHeader = idHeader;
    }

    /** Reads what has the event id in this header, and no tombstones. */
    EventReader(String idHeader) {
        this(List.of(EventExtractors.headers(idHeader)), false, idHeader);
    }

    /**
     * @throws PermanentEventException if the record has no usable id, or no payload and the handler needs one
     */
    ReceivedEvent read(ConsumerRecord<byte[], byte[]> record) {
        ExtractedEvent event = extract(record);
        if (event.payload() == null && !tombstones) {
            throw new UnusableRecordException("The record has no payload: its value is null. A handler whose payload is"
                    + " @Nullable, an Optional or @Payload(required = false) takes such records");
        }
        return new ReceivedEvent(metadata(event, record), record, event.payload());
    }

    /** Returns what the envelope says, whatever the payload is like, or null if the record has no usable id. */
    @Nullable
    EventMetadata findMetadata(ConsumerRecord<?, ?> record) {
        ExtractedEvent event = find(record);
        return event == null ? null : metadata(event, record);
    }

    /** Returns the event's id if the record has a usable one. */
    @Nullable
    UUID findId(ConsumerRecord<?, ?> record) {
        ExtractedEvent event = find(record);
        return event == null ? null : event.eventId();
    }

    private static EventMetadata metadata(ExtractedEvent event, ConsumerRecord<?, ?> record) {
        return new EventMetadata(
                event.eventId(),
                event.attributes(),
                new RecordPosition(record.topic(), record.partition(), record.offset()));
    }

    @SuppressWarnings("unchecked") // The consumers of idempotent listeners read bytes, and nothing else.
    private @Nullable ExtractedEvent find(ConsumerRecord<?, ?> record) {
        try {
            return extract((ConsumerRecord<byte[], byte[]>) record);
        } catch (RuntimeException e) {
            return null;
        }
    }

    private ExtractedEvent extract(ConsumerRecord<byte[], byte[]> record) {
        for (EventExtractor extractor : extractors) {
            ExtractedEvent event = ask(extractor, record);
            if (event != null) {
                return event;
            }
        }
        throw new UnusableRecordException("The record has no header " + idHeader + " with an event id, and none of the "
                + extractors.size() + " extractors of this consumer knows it");
    }

    private static @Nullable ExtractedEvent ask(EventExtractor extractor, ConsumerRecord<byte[], byte[]> record) {
        try {
            return extractor.extract(record);
        } catch (PermanentEventException | InboxUnavailableException e) {
            throw e;
        } catch (RuntimeException e) {
            // Neither its message nor itself: they may quote the record.
            throw new UnusableRecordException("The extractor "
                    + extractor.getClass().getName() + " failed on the record with a "
                    + e.getClass().getName());
        }
    }
}
