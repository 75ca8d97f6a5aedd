package dev.outbox.testkit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Sends texts, and reads them. */
final class TextClient {

    static final Duration LIMIT = Duration.ofSeconds(30);
    static final Duration SHORT = Duration.ofSeconds(2);

    private TextClient() {}

    static void send(String servers, String topic, String value) throws Exception {
        sendWithin(SHORT, servers, topic, value);
    }

    static void sendWithin(Duration limit, String servers, String topic, String value) throws Exception {
        try (var producer = producer(limit, servers)) {
            send(producer, topic, value);
        }
    }

    static void send(KafkaProducer<String, String> producer, String topic, String value) throws Exception {
        producer.send(new ProducerRecord<>(topic, "k", value)).get(2L * LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    static KafkaProducer<String, String> producer(Duration limit, String servers) {
        int millis = (int) limit.toMillis();
        return new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        (Object) servers,
                        "max.block.ms",
                        millis,
                        "request.timeout.ms",
                        Math.min(millis, 5_000),
                        "delivery.timeout.ms",
                        millis,
                        "linger.ms",
                        0),
                new StringSerializer(),
                new StringSerializer());
    }

    static List<String> values(KafkaBroker broker, String topic) {
        return broker.records(topic).stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }
}
