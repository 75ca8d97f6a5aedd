package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotencyKey;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.testkit.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;

/** Records of producers that know nothing of this library, and what handlers make of them. */
class OtherRecordsIT {

    private static final String DATA = "{\"orderId\":\"o-1\"}";

    private final InboxDatabase database =
            InboxDatabase.in(PostgresServer.shared().createDatabase());
    private final TestTopic topic = TestTopic.create(1);
    private final InboxApplication application = InboxApplication.on(database)
            .property("topic", topic.name())
            .property("deserializer", IntegerDeserializer.class.getName());

    @AfterEach
    void close() {
        application.close();
        topic.close();
        database.close();
    }

    @Test
    void eachKindIsReadHasItsEffectOnceAndIsDeadLetteredAsItCame() {
        application.start(Readers.class);
        Readers readers = application.bean(Readers.class);
        UUID structured = UUID.randomUUID();
        String cloudEvent = "{\"specversion\":\"1.0\",\"id\":\"" + structured
                + "\",\"source\":\"/x\",\"type\":\"order.made\"," + "\"data\":" + DATA + "}";
        for (int repeat = 0; repeat < 2; repeat++) {
            send(cloudEvent, Map.of("content-type", "application/cloudevents+json"));
        }
        UUID routed = UUID.randomUUID();
        send(DATA, Map.of("id", routed.toString(), "eventType", "order.routed"));
        UUID tombstone = UUID.randomUUID();
        topic.send(topic.record(0, null, tombstone.toString()));
        UUID number = UUID.randomUUID();
        topic.send(topic.record(0, new byte[] {0, 0, 0, 7}, number.toString()));

        await().atMost(TestTopic.LIMIT).untilAsserted(() -> {
            assertThat(readers.events)
                    .containsExactly(
                            "order.made " + DATA + " " + key("events", structured),
                            "null empty " + key("events", tombstone),
                            "null \0\0\0\7 " + key("events", number));
            assertThat(readers.routed).containsExactly("order.routed k " + DATA.length());
            assertThat(readers.numbers).containsExactly("7 " + number);
        });
        // Each consumer dead-letters what is not for it, as it came.
        await().atMost(TestTopic.LIMIT)
                .until(() -> database.count("SELECT count(*) FROM inbox_dead_letter WHERE record_value = convert_to('"
                                + cloudEvent + "', 'UTF8')")
                        > 0);
        assertThat(database.count("SELECT count(*) FROM inbox_processed WHERE consumer = 'events'"))
                .isEqualTo(3);
    }

    private static IdempotencyKey key(String consumer, UUID eventId) {
        return IdempotencyKey.of(new ConsumerName(consumer), eventId);
    }

    private void send(String value, Map<String, String> headers) {
        ProducerRecord<byte[], byte[]> record = topic.record(0, value.getBytes(StandardCharsets.UTF_8), null);
        headers.forEach((name, text) -> record.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
        topic.send(record);
    }

    static class Readers {

        private final List<String> events = new CopyOnWriteArrayList<>();
        private final List<String> routed = new CopyOnWriteArrayList<>();
        private final List<String> numbers = new CopyOnWriteArrayList<>();

        @Bean
        static EventExtractor debezium() {
            return EventExtractors.debeziumOutbox();
        }

        @IdempotentListener(topics = "${topic}", consumer = "events", extractor = "unknown")
        void on(Optional<String> payload, EventMetadata event, IdempotencyKey key) {
            events.add(event.type() + " " + payload.orElse("empty") + " " + key);
        }

        /** Knows nothing, so the built-in ones are asked. */
        @Bean
        static EventExtractor unknown() {
            return record -> null;
        }

        @IdempotentListener(topics = "${topic}", consumer = "routed", extractor = "#{'debezium'}")
        void onRouted(byte[] payload, EventMetadata event) {
            if ("order.routed".equals(event.type())) {
                routed.add(event.type() + " " + event.aggregateId() + " " + payload.length);
            }
        }

        @IdempotentListener(topics = "${topic}", consumer = "numbers", valueDeserializer = "${deserializer}")
        void onNumber(Integer payload, EventMetadata event) {
            numbers.add(payload + " " + event.eventId());
        }
    }
}
