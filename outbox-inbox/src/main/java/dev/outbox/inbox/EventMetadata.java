package dev.outbox.inbox;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the envelope says about an event. A listener method receives it by declaring a parameter of this type.
 *
 * <p>All but the event id and the position is optional in the envelope: an accessor returns {@code null} if the
 * attribute is absent or cannot be read as what it should be.
 *
 * @param eventId identity of the event, the same on every repeat
 * @param attributes every attribute of the CloudEvents envelope by its name there ({@code type}, {@code source},
 *     {@code subject}, …), extension attributes included
 * @param position where the record stands in Kafka
 */
public record EventMetadata(UUID eventId, Map<String, String> attributes, RecordPosition position) {

    public EventMetadata {
        attributes = Map.copyOf(attributes);
    }

    /** Kind of the event, a past-tense fact: {@code order.confirmed}. */
    public @Nullable String type() {
        return attributes.get("type");
    }

    /** URI reference of the producing service. */
    public @Nullable String source() {
        return attributes.get("source");
    }

    /** Id of the aggregate that the event is about, which CloudEvents calls the subject. */
    public @Nullable String aggregateId() {
        return attributes.get("subject");
    }

    /** Type of that aggregate. */
    public @Nullable String aggregateType() {
        return attributes.get("aggregatetype");
    }

    /** Version that the aggregate has reached with the event. */
    public @Nullable Long aggregateVersion() {
        return read("aggregateversion", Long::valueOf);
    }

    /** Version of the payload's schema. */
    public @Nullable Integer schemaVersion() {
        return read("schemaversion", Integer::valueOf);
    }

    /** When the event happened, which is not when it was published. */
    public @Nullable Instant time() {
        return read("time", text -> OffsetDateTime.parse(text).toInstant());
    }

    /** URI of the payload's schema. */
    public @Nullable String dataSchema() {
        return attributes.get("dataschema");
    }

    /** Media type of the payload. */
    public @Nullable String contentType() {
        return attributes.get("datacontenttype");
    }

    /** W3C trace context in which the event was appended. */
    public @Nullable String traceparent() {
        return attributes.get("traceparent");
    }

    private <T> @Nullable T read(String attribute, Function<String, T> parser) {
        String text = attributes.get(attribute);
        try {
            return text == null ? null : parser.apply(text);
        } catch (NumberFormatException | DateTimeException e) {
            return null;
        }
    }
}
