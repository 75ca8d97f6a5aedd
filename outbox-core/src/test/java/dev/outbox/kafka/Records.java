package dev.outbox.kafka;

import dev.outbox.Aggregate;
import dev.outbox.Delivery;
import dev.outbox.EventType;
import dev.outbox.OutboxRecord;
import dev.outbox.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** Deliveries without a database. */
final class Records {

    private Records() {}

    static Delivery delivery(String topic, String aggregateId) {
        return delivery(topic, aggregateId, "{}".getBytes(StandardCharsets.UTF_8));
    }

    static Delivery delivery(String topic, String aggregateId, byte[] payload) {
        Aggregate aggregate = new Aggregate("order", aggregateId, null);
        OutboxRecord event = new OutboxRecord(
                UUID.randomUUID(),
                topic,
                new EventType("order.confirmed", 1),
                aggregate,
                Payload.of("application/json", payload),
                Map.of());
        long hash = aggregate.hash();
        return new Delivery(1, Aggregate.lane(hash), hash, 0, Instant.EPOCH, event);
    }

    /** Several events of one aggregate. */
    static List<Delivery> batch(String topic, int size) {
        return new ArrayList<>(
                IntStream.range(0, size).mapToObj(i -> delivery(topic, "1")).toList());
    }

    static List<String> ids(List<Delivery> deliveries) {
        return deliveries.stream()
                .map(delivery -> delivery.event().eventId().toString())
                .toList();
    }
}
