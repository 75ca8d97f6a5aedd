package dev.outbox.inbox.kafka;

import dev.outbox.inbox.DeadLetterSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Settings of the producer of dead letters: the application's connection, and nothing that could lose or alter one. */
final class DeadLetterProducerSettings {

    private static final int REQUEST_TIMEOUT_MS = 10_000;

    private DeadLetterProducerSettings() {}

    static Map<String, Object> apply(Map<String, ?> configured, DeadLetterSettings settings) {
        Map<String, Object> effective = new LinkedHashMap<>();
        configured.forEach((setting, value) -> {
            if (value != null) {
                effective.put(setting, value);
            }
        });
        effective.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
        effective.remove(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
        effective.remove(ProducerConfig.PARTITIONER_CLASS_CONFIG);
        effective.remove(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION);
        effective.remove(ProducerConfig.RETRIES_CONFIG);
        effective.remove(ProducerConfig.CLIENT_ID_CONFIG);
        effective.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        effective.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        effective.put(ProducerConfig.ACKS_CONFIG, "all");
        effective.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        effective.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        // The source may have been compressed: a copy that is not would be larger.
        effective.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
        effective.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, settings.maxRequestBytes());
        effective.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 2L * settings.maxRequestBytes());
        effective.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, settings.maxBlock().toMillis());
        int delivery = (int) settings.deliveryTimeout().toMillis();
        effective.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, delivery);
        effective.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.min(REQUEST_TIMEOUT_MS, delivery));
        return effective;
    }
}
