package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.testkit.KafkaBroker;
import dev.outbox.testkit.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;

class EffectOnceIT {

    private final InboxDatabase database =
            InboxDatabase.withoutAutoCommit(PostgresServer.shared().createDatabase());
    private final TestTopic topic = TestTopic.create(1);
    private final InboxApplication application = InboxApplication.on(database).property("topic", topic.name());

    @AfterEach
    void close() {
        application.close();
        topic.close();
        database.close();
    }

    @Test
    void anEventThatArrivesThriceHasOneEffect() {
        application.start(Billing.class);

        UUID event = topic.send();
        topic.send(event);
        topic.send(event);
        UUID other = topic.send();

        await().atMost(TestTopic.LIMIT).until(() -> database.effects(other) == 1);
        topic.awaitCommitted("billing", 4);
        assertThat(database.effects(event)).isEqualTo(1);
        assertThat(application.observed().count("processed billing")).isEqualTo(2);
        assertThat(application.observed().count("duplicate billing")).isEqualTo(2);
    }

    @Test
    void eachOfTwoConsumersOfATopicHasItsEffect() {
        application.start(Billing.class, Shipping.class);

        UUID event = topic.send();

        await().atMost(TestTopic.LIMIT).until(() -> database.effects(event) == 2);
        assertThat(database.count("SELECT count(DISTINCT consumer) FROM effect"))
                .isEqualTo(2);
    }

    @Test
    void aHandlerMayAskForThePayloadInAnyFormAndForTheEnvelope() {
        application.start(Shapes.class);
        ProducerRecord<byte[], byte[]> record = topic.record(
                0,
                TestTopic.JSON.getBytes(StandardCharsets.UTF_8),
                UUID.randomUUID().toString());
        Map.of("ce_type", "order.confirmed", "ce_aggregateversion", "7", "id", "debezium", "traceparent", "00-a-b-01")
                .forEach((name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        record.headers().add("nothing", null);

        topic.send(record);

        Shapes shapes = application.bean(Shapes.class);
        await().atMost(TestTopic.LIMIT).until(() -> shapes.seen.size() == 6);
        assertThat(shapes.seen)
                .containsExactlyInAnyOrder(
                        "json Order[orderId=o-1, amountCents=4200] order.confirmed 7",
                        "text " + TestTopic.JSON + " order.confirmed",
                        "bytes " + TestTopic.JSON.length(),
                        "record " + TestTopic.JSON.length() + " 0",
                        "message Order[orderId=o-1, amountCents=4200] 00-a-b-01",
                        "map 4200");
    }

    @Test
    void theHostsOwnListenerBesideItIsUntouched() {
        application.start(Billing.class, Host.class);

        UUID event = topic.send();
        topic.send(event);

        Host host = application.bean(Host.class);
        await().atMost(TestTopic.LIMIT).until(() -> host.seen.size() == 2);
        await().atMost(TestTopic.LIMIT).until(() -> database.effects(event) == 1);
        assertThat(host.seen).containsOnly(TestTopic.JSON);
    }

    record Order(String orderId, long amountCents) {}

    static class Billing {

        private final Effects effects;

        Billing(Effects effects) {
            this.effects = effects;
        }

        @IdempotentListener(topics = "${topic}", consumer = "billing")
        void on(Order order, EventMetadata event) {
            effects.add("billing", event.eventId());
        }
    }

    static class Shipping {

        private final Effects effects;

        Shipping(Effects effects) {
            this.effects = effects;
        }

        @IdempotentListener(topicPattern = "${topic}.*", consumer = "shipping", groupId = "shipping-group")
        void on(EventMetadata event, byte[] payload) {
            effects.add("shipping", event.eventId());
        }
    }

    static class Shapes {

        private final List<String> seen = new CopyOnWriteArrayList<>();

        @IdempotentListener(topics = "${topic}", consumer = "json")
        void json(EventMetadata event, Order order) {
            seen.add("json " + order + " " + event.type() + " " + event.aggregateVersion());
        }

        @IdempotentListener(topics = "${topic}", consumer = "text")
        void text(String payload, @Header("ce_type") String type) {
            seen.add("text " + payload + " " + type);
        }

        @IdempotentListener(topics = "${topic}", consumer = "bytes")
        void bytes(byte[] payload) {
            seen.add("bytes " + payload.length);
        }

        @IdempotentListener(topics = "${topic}", consumer = "record")
        void record(ConsumerRecord<byte[], byte[]> record) {
            seen.add("record " + record.value().length + " " + record.offset());
        }

        @IdempotentListener(topics = "${topic}", consumer = "message")
        void message(Message<Order> message, EventMetadata event) {
            seen.add("message " + message.getPayload() + " " + event.traceparent());
        }

        @IdempotentListener(topics = "${topic}", consumer = "map")
        void map(Map<String, Object> payload) {
            seen.add("map " + payload.get("amountCents"));
        }
    }

    static class Host {

        private final List<String> seen = new CopyOnWriteArrayList<>();

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory() {
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(
                    Map.of(
                            "bootstrap.servers",
                            KafkaBroker.shared().bootstrapServers(),
                            "auto.offset.reset",
                            "earliest"),
                    new StringDeserializer(),
                    new StringDeserializer()));
            factory.getContainerProperties().setAckMode(AckMode.MANUAL);
            return factory;
        }

        @KafkaListener(topics = "${topic}", groupId = "host")
        void on(String payload, Acknowledgment acknowledgment) {
            seen.add(payload);
            acknowledgment.acknowledge();
        }
    }
}
