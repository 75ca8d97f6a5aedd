package dev.outbox;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** Deliveries that were never stored. */
public final class Deliveries {

    private Deliveries() {}

    public static Delivery of(long seq, String topic, String aggregateId) {
        return of(seq, 0, topic, aggregateId);
    }

    public static Delivery of(long seq, int attempts, String topic, String aggregateId) {
        Aggregate aggregate = new Aggregate("order", aggregateId, seq);
        OutboxRecord event = new OutboxRecord(
                new UUID(0, seq),
                topic,
                new EventType("order.confirmed", 2),
                aggregate,
                Payload.of("application/json", "{\"secret\":1}".getBytes(StandardCharsets.UTF_8)),
                Map.of());
        long hash = aggregate.hash();
        return new Delivery(seq, Aggregate.lane(hash), hash, attempts, Instant.parse("2024-01-02T03:04:05Z"), event);
    }
}
