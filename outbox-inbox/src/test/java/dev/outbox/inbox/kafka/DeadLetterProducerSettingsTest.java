package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.inbox.DeadLetterSettings;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

class DeadLetterProducerSettingsTest {

    @Test
    void theConnectionIsTheApplicationsAndDurabilityIsForced() {
        Map<String, Object> configured = new HashMap<>(Map.of(
                "bootstrap.servers", "broker:9092",
                "security.protocol", "SSL",
                "acks", "0",
                "enable.idempotence", "false",
                "retries", "0",
                "transactional.id", "orders-",
                "max.in.flight.requests.per.connection", "100",
                "interceptor.classes", "com.example.Missing",
                "delivery.timeout.ms", "1"));
        configured.put("client.dns.lookup", null);

        Map<String, Object> effective = DeadLetterProducerSettings.apply(configured, DeadLetterSettings.defaults());

        assertThat(effective)
                .containsEntry("bootstrap.servers", "broker:9092")
                .containsEntry("security.protocol", "SSL")
                .containsEntry("acks", "all")
                .containsEntry("max.request.size", 32 * 1024 * 1024)
                .doesNotContainKeys("transactional.id", "interceptor.classes", "client.dns.lookup");
        // Kafka checks the relations between the settings here.
        ProducerConfig accepted = new ProducerConfig(effective);
        assertThat(accepted.getBoolean("enable.idempotence")).isTrue();
        assertThat(accepted.getInt("retries")).isPositive();
    }
}
