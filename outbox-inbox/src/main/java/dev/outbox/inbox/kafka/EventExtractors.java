package dev.outbox.inbox.kafka;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;

/** Extractors for records of common producers. */
public final class EventExtractors {

    private EventExtractors() {}

    /**
     * Reads records whose event id stands in a header.
     *
     * @param idHeader name of the header; the last one counts if there are several
     * @throws IllegalArgumentException if the name is blank
     */
    public static HeaderExtractor headers(String idHeader) {
        return new HeaderExtractor(idHeader, EventIds.uuids(), Map.of(), null);
    }

    /**
     * Reads records of Debezium's outbox event router: the header {@code id} is the event id and the key the aggregate's
     * id. What else is in headers depends on {@code table.fields.additional.placement}; {@code eventType}, {@code
     * aggregateType} and {@code aggregateVersion} are understood, others by {@link HeaderExtractor#attribute}.
     */
    public static HeaderExtractor debeziumOutbox() {
        return headers("id")
                .key("subject")
                .attribute("type", "eventType")
                .attribute("aggregatetype", "aggregateType")
                .attribute("aggregateversion", "aggregateVersion");
    }

    /**
     * Reads records whose event id stands in their JSON value.
     *
     * @param idPointer place of the id, a JSON pointer: {@code /id}
     * @throws IllegalArgumentException if that is no JSON pointer
     */
    public static JsonBodyExtractor jsonBody(String idPointer) {
        return new JsonBodyExtractor(JsonPointer.compile(idPointer), EventIds.uuids(), Map.of());
    }

    /**
     * Reads CloudEvents in structured mode, as the built-in extractor does, but with another form of ids. The payload is
     * the event's data.
     */
    public static EventExtractor structuredCloudEvents(EventIds ids) {
        return new StructuredCloudEvents(ids);
    }

    /** Those that are asked unless a factory is told otherwise: CloudEvents in structured mode, then this header. */
    static List<EventExtractor> builtIn(String idHeader) {
        return List.of(structuredCloudEvents(EventIds.uuids()), headers(idHeader));
    }

    /** Asks several extractors, in this order. */
    public static EventExtractor firstOf(List<? extends EventExtractor> extractors) {
        List<EventExtractor> all = List.copyOf(extractors);
        return record -> {
            for (EventExtractor extractor : all) {
                @Nullable ExtractedEvent event = extractor.extract(record);
                if (event != null) {
                    return event;
                }
            }
            return null;
        };
    }
}
