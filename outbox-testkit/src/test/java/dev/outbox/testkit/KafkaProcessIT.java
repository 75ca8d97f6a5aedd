package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class KafkaProcessIT {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static final Duration SHORT = Duration.ofSeconds(2);

    private static KafkaProcess server;

    @BeforeAll
    static void start() {
        server = KafkaProcess.start();
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @Test
    void aServerKeepsItsRecordsAndItsAddressOverAKill() throws Exception {
        String topic = server.createTopic("kept", 1);
        String address = server.bootstrapServers();
        send(address, topic, "before");

        server.kill();
        assertThatThrownBy(() -> send(address, topic, "down")).hasCauseInstanceOf(TimeoutException.class);
        assertThatThrownBy(server::pause).hasMessageContaining("restart() it first");
        server.restart();
        send(address, topic, "after");

        assertThat(server.bootstrapServers()).isEqualTo(address);
        assertThat(values(server, topic)).containsExactly("before", "after");
    }

    @Test
    void aPausedServerAnswersNothingUntilItIsResumed() throws Exception {
        String topic = server.createTopic("paused", 1);

        server.pause();
        assertThatThrownBy(() -> send(server.bootstrapServers(), topic, "paused"))
                .hasCauseInstanceOf(TimeoutException.class);
        server.resume();
        send(server.bootstrapServers(), topic, "resumed");

        assertThat(values(server, topic)).contains("resumed");
    }

    @Test
    void theProxyOfAServerBreaksOnlyItsOwnClients() throws Exception {
        String topic = server.createTopic("proxied", 1);

        try (var producer = producer(SHORT, server.proxiedBootstrapServers())) {
            send(producer, topic, "through the proxy");
            server.proxy().cut();
            assertThatThrownBy(() -> send(producer, topic, "cut")).hasCauseInstanceOf(TimeoutException.class);
            send(server.bootstrapServers(), topic, "direct");
            server.proxy().restore();
            send(producer, topic, "restored");
        }

        assertThat(values(server, topic)).containsExactly("through the proxy", "direct", "restored");
    }

    @Test
    void aClusterOutlivesTheLossOfALeader() throws Exception {
        try (KafkaCluster cluster = KafkaCluster.start()) {
            String topic = cluster.createTopic("replicated", 1);
            send(cluster.bootstrapServers(), topic, "before");
            KafkaProcess leader = cluster.leaderOf(topic, 0);

            leader.kill();
            sendWithin(LIMIT, cluster.bootstrapServers(), topic, "without it");
            assertThat(cluster.leaderOf(topic, 0)).isNotSameAs(leader);

            assertThat(values(cluster, topic)).containsExactly("before", "without it");
        }
    }

    private static void send(String servers, String topic, String value) throws Exception {
        sendWithin(SHORT, servers, topic, value);
    }

    private static void sendWithin(Duration limit, String servers, String topic, String value) throws Exception {
        try (var producer = producer(limit, servers)) {
            send(producer, topic, value);
        }
    }

    private static void send(KafkaProducer<String, String> producer, String topic, String value) throws Exception {
        producer.send(new ProducerRecord<>(topic, "k", value)).get(2L * LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static KafkaProducer<String, String> producer(Duration limit, String servers) {
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

    private static List<String> values(KafkaBroker broker, String topic) {
        return broker.records(topic).stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }
}
