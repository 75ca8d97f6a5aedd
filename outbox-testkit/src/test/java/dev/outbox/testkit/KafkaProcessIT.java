package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class KafkaProcessIT {

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
        TextClient.send(address, topic, "before");

        server.kill();
        assertThatThrownBy(() -> TextClient.send(address, topic, "down")).hasCauseInstanceOf(TimeoutException.class);
        assertThatThrownBy(server::pause).hasMessageContaining("restart() it first");
        server.restart();
        TextClient.send(address, topic, "after");

        assertThat(server.bootstrapServers()).isEqualTo(address);
        assertThat(TextClient.values(server, topic)).containsExactly("before", "after");
    }

    @Test
    void aPausedServerAnswersNothingUntilItIsResumed() throws Exception {
        String topic = server.createTopic("paused", 1);

        server.pause();
        assertThatThrownBy(() -> TextClient.send(server.bootstrapServers(), topic, "paused"))
                .hasCauseInstanceOf(TimeoutException.class);
        server.resume();
        TextClient.send(server.bootstrapServers(), topic, "resumed");

        assertThat(TextClient.values(server, topic)).contains("resumed");
    }

    @Test
    void theProxyOfAServerBreaksOnlyItsOwnClients() throws Exception {
        String topic = server.createTopic("proxied", 1);

        try (var producer = TextClient.producer(TextClient.SHORT, server.proxiedBootstrapServers())) {
            TextClient.send(producer, topic, "through the proxy");
            server.proxy().cut();
            assertThatThrownBy(() -> TextClient.send(producer, topic, "cut"))
                    .hasCauseInstanceOf(TimeoutException.class);
            TextClient.send(server.bootstrapServers(), topic, "direct");
            server.proxy().restore();
            TextClient.send(producer, topic, "restored");
        }

        assertThat(TextClient.values(server, topic)).containsExactly("through the proxy", "direct", "restored");
    }
}
