package dev.outbox.inbox.kafka;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads records whose event id, and perhaps more, stands in their JSON value, at places that JSON pointers name: {@code
 * /id}, {@code /meta/eventId}. The payload is the whole value. A record whose value is not JSON, or has no text, number or
 * boolean at the id's place, is not of this kind.
 *
 * <p>Immutable: each method returns another one.
 */
public final class JsonBodyExtractor implements EventExtractor {

    private static final JsonMapper MAPPER = new JsonMapper();

    private final JsonPointer id;
    private final EventIds ids;
    private final Map<String, JsonPointer> pointers;

    JsonBodyExtractor(JsonPointer id, EventIds ids, Map<String, JsonPointer> pointers) {
        this.id = id;
        this.ids = ids;
        this.pointers = Map.copyOf(pointers);
    }

    /** Sets what makes an event id of the value's text; {@link EventIds#uuids()} if nothing is set. */
    public JsonBodyExtractor ids(EventIds ids) {
        return new JsonBodyExtractor(id, ids, pointers);
    }

    /**
     * Takes an attribute, such as {@code type}, from the value at this place.
     *
     * @throws IllegalArgumentException if that is no JSON pointer
     */
    public JsonBodyExtractor attribute(String attribute, String pointer) {
        Map<String, JsonPointer> more = new LinkedHashMap<>(pointers);
        more.put(attribute, JsonPointer.compile(pointer));
        return new JsonBodyExtractor(id, ids, more);
    }

    @Override
    public @Nullable ExtractedEvent extract(ConsumerRecord<byte[], byte[]> record) {
        JsonNode body = body(record.value());
        String text = body == null ? null : text(body, id);
        if (body == null || text == null) {
            return null;
        }
        Map<String, String> attributes = new HashMap<>(CloudEventHeaders.attributes(record.headers()));
        pointers.forEach((attribute, pointer) -> {
            String value = text(body, pointer);
            if (value != null) {
                attributes.put(attribute, value);
            }
        });
        return new ExtractedEvent(ids.read(text, "The JSON value at " + id), attributes, record.value());
    }

    private static @Nullable JsonNode body(byte @Nullable [] value) {
        try {
            return value == null ? null : MAPPER.readTree(value);
        } catch (JacksonException e) {
            return null;
        }
    }

    private static @Nullable String text(JsonNode body, JsonPointer pointer) {
        JsonNode node = body.at(pointer);
        return node.isString() || node.isNumber() || node.isBoolean() ? node.asString() : null;
    }
}
