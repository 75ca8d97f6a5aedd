package dev.outbox.autoconfigure;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory;
import org.springframework.boot.ssl.SslBundle;

/**
 * How the application reaches Kafka: addresses, security and the common properties of {@code spring.kafka}. What it sets
 * for its own producers and consumers alone (serializers, acknowledgements, transactions) stays with them.
 */
class KafkaConnection {

    private static final Set<String> CONNECTION = Set.of("security.protocol", "bootstrap.servers");

    private final KafkaProperties properties;
    private final KafkaConnectionDetails details;

    KafkaConnection(KafkaProperties properties, KafkaConnectionDetails details) {
        this.properties = properties;
        this.details = details;
    }

    Map<String, Object> forProducer() {
        return settings(properties.buildProducerProperties(), details.getProducer());
    }

    Map<String, Object> forConsumer() {
        return settings(properties.buildConsumerProperties(), details.getConsumer());
    }

    private Map<String, Object> settings(Map<String, Object> all, KafkaConnectionDetails.Configuration configuration) {
        Map<String, Object> settings = new HashMap<>(properties.getProperties());
        all.forEach((name, value) -> {
            if (CONNECTION.contains(name) || name.startsWith("ssl.") || name.startsWith("sasl.")) {
                settings.put(name, value);
            }
        });
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, configuration.getBootstrapServers());
        putIfPresent(settings, CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, configuration.getSecurityProtocol());
        SslBundle bundle = configuration.getSslBundle();
        if (bundle != null) {
            settings.put(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, SslBundleSslEngineFactory.class);
            settings.put(SslBundle.class.getName(), bundle);
        }
        return settings;
    }

    private static void putIfPresent(Map<String, Object> settings, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            settings.put(name, value);
        }
    }
}
