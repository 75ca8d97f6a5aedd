package dev.outbox;

import java.util.Map;
import java.util.UUID;

/**
 * An event as it is stored and published.
 *
 * @param eventId fixed at append, the same on every delivery
 * @param topic the Kafka topic
 * @param type what happened
 * @param aggregate what it happened to
 * @param payload the exact bytes
 * @param headers Kafka headers besides those of the envelope, in no particular order
 */
public record OutboxRecord(
        UUID eventId, String topic, EventType type, Aggregate aggregate, Payload payload, Map<String, String> headers) {

    public OutboxRecord {
        headers = Map.copyOf(headers);
    }

    /** What a log line may show: never payload or headers. */
    @Override
    public String toString() {
        return "event " + eventId + " (" + type.name() + " of " + aggregate.type() + " " + aggregate.id() + ", topic "
                + topic + ")";
    }
}
