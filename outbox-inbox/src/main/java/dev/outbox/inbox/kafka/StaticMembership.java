package dev.outbox.inbox.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.util.StringUtils;

/**
 * Makes the {@code group.instance.id} that all listeners share one for each. It is that value, the consumer's name and,
 * from spring-kafka, the number of the thread.
 */
final class StaticMembership {

    /** Kafka's limit, less what spring-kafka appends. */
    private static final int MAX_LENGTH = 249 - "-9999".length();

    private StaticMembership() {}

    /**
     * @throws IllegalArgumentException if the value is too long for Kafka
     */
    static void apply(ContainerProperties properties, String consumer, Map<String, Object> shared) {
        Object instance = shared.get(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        Properties own = properties.getKafkaConsumerProperties();
        if (instance == null
                || !StringUtils.hasText(instance.toString())
                || own.getProperty(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG) != null) {
            return;
        }
        String id = legal(instance + "-" + consumer);
        if (id.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("The group.instance.id of consumer '" + consumer + "' has " + id.length()
                    + " characters; with the number of its thread Kafka allows " + MAX_LENGTH
                    + ". Shorten outbox.inbox.kafka.group-instance-id or the consumer's name");
        }
        Properties all = new Properties();
        all.putAll(own);
        all.setProperty(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, id);
        properties.setKafkaConsumerProperties(all);
    }

    /** Two names stay two: what Kafka does not allow becomes its code. */
    private static String legal(String id) {
        StringBuilder legal = new StringBuilder();
        for (byte character : id.getBytes(StandardCharsets.UTF_8)) {
            boolean allowed = (character >= 'a' && character <= 'z')
                    || (character >= 'A' && character <= 'Z')
                    || (character >= '0' && character <= '9')
                    || character == '.'
                    || character == '-'
                    || character == '_';
            legal.append(allowed ? String.valueOf((char) character) : String.format("_%02x", character));
        }
        return legal.toString();
    }
}
