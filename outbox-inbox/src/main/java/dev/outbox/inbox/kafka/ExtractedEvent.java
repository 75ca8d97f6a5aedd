package dev.outbox.inbox.kafka;

import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link EventExtractor} reads from a record.
 *
 * @param eventId identity of the event, the same on every repeat; {@link EventIds} makes one of other texts
 * @param attributes what becomes of {@link dev.outbox.inbox.EventMetadata#attributes()}, so under the names of CloudEvents
 *     that stand there: {@code type}, {@code subject} for the aggregate's id, {@code aggregatetype}, {@code
 *     aggregateversion}, …
 * @param payload what the handler gets, as a rule the record's value; null for a tombstone
 */
@SuppressWarnings("ArrayRecordComponent") // Values are not compared, and a copy of each payload would cost memory.
public record ExtractedEvent(UUID eventId, Map<String, String> attributes, byte @Nullable [] payload) {

    public ExtractedEvent(UUID eventId, Map<String, String> attributes, byte @Nullable [] payload) {
        this.eventId = eventId;
        this.attributes = Map.copyOf(attributes);
        this.payload = payload;
    }

    /** Says which event it is, and nothing of its content. */
    @Override
    public String toString() {
        return "event " + eventId;
    }
}
