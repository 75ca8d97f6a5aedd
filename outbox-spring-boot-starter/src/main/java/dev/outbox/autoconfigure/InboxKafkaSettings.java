package dev.outbox.autoconfigure;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.core.env.Environment;

/**
 * The Kafka settings of idempotent listeners.
 *
 * @param consumer what {@code spring.kafka.consumer} says, overruled by the inbox's own properties
 * @param producer of dead letters
 */
record InboxKafkaSettings(Map<String, Object> consumer, Map<String, Object> producer) {

    /** The consumer's name is the group, and the inbox reads bytes. */
    private static final Set<String> NOT_TAKEN_OVER = Set.of(
            ConsumerConfig.GROUP_ID_CONFIG,
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);

    private static final String ISOLATION_PROPERTY = "spring.kafka.consumer.isolation-level";

    static InboxKafkaSettings of(
            KafkaConnection connection, KafkaProperties kafka, Environment environment, InboxProperties.Kafka own) {
        Map<String, Object> consumer = new HashMap<>(kafka.buildConsumerProperties());
        consumer.keySet().removeAll(NOT_TAKEN_OVER);
        if (!environment.containsProperty(ISOLATION_PROPERTY)) {
            // Boot's own default, which nobody has asked for.
            consumer.remove(ConsumerConfig.ISOLATION_LEVEL_CONFIG);
        }
        consumer.putAll(kafka.getConsumer().getProperties());
        consumer.putAll(connection.forConsumer());
        if (own.groupInstanceId() != null) {
            consumer.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, own.groupInstanceId());
        }
        consumer.putAll(own.properties());
        return new InboxKafkaSettings(Map.copyOf(consumer), Map.copyOf(connection.forProducer()));
    }
}
