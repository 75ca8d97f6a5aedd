package dev.outbox.inbox.kafka;

import dev.outbox.inbox.InboxListener;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;

/**
 * The lags of all partitions that the consumers of this process have, taken from what is polled and committed anyway.
 * Thread-safe.
 */
final class PartitionLags {

    /** Setting under which the interceptors find this object. */
    static final String LAGS = "outbox.inbox.lags";

    /** Setting with the consumer's name. */
    static final String CONSUMER = "outbox.inbox.consumer";

    private static final String RECORDS_LAG = "records-lag";

    private final Map<Key, PartitionLag> lags = new ConcurrentHashMap<>();
    private final InboxListener listener;

    PartitionLags(InboxListener listener) {
        this.listener = listener;
    }

    /** Adds an interceptor to the settings of consumers. */
    Map<String, Object> intercept(Map<String, Object> settings) {
        Object configured = settings.get(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
        List<Object> interceptors = new ArrayList<>();
        if (configured instanceof Collection<?> several) {
            interceptors.addAll(several);
        } else if (configured != null) {
            Stream.of(configured.toString().split(","))
                    .map(String::strip)
                    .filter(name -> !name.isEmpty())
                    .forEach(interceptors::add);
        }
        interceptors.add(LagInterceptor.class.getName());
        Map<String, Object> intercepted = new HashMap<>(settings);
        intercepted.put(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, interceptors);
        intercepted.put(LAGS, this);
        return intercepted;
    }

    /** Observes the partitions of a container, beside the listener that it has for them. */
    void observe(ConcurrentMessageListenerContainer<?, ?> container, String consumer) {
        ContainerProperties properties = container.getContainerProperties();
        Properties all = new Properties();
        all.putAll(properties.getKafkaConsumerProperties());
        all.setProperty(CONSUMER, consumer);
        properties.setKafkaConsumerProperties(all);
        properties.setConsumerRebalanceListener(
                new LagRebalanceListener(this, consumer, properties.getConsumerRebalanceListener()));
    }

    void assigned(String consumer, Collection<TopicPartition> partitions, Consumer<?, ?> client) {
        for (TopicPartition partition : partitions) {
            PartitionLag lag = new PartitionLag(InstantSource.system(), () -> recordsBehind(client, partition));
            lags.put(new Key(consumer, partition), lag);
            listener.assigned(consumer, partition, lag::seconds);
        }
    }

    void revoked(String consumer, Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            if (lags.remove(new Key(consumer, partition)) != null) {
                listener.revoked(consumer, partition);
            }
        }
    }

    void delivered(String consumer, ConsumerRecords<?, ?> records) {
        for (TopicPartition partition : records.partitions()) {
            PartitionLag lag = lags.get(new Key(consumer, partition));
            if (lag != null) {
                lag.delivered(records.records(partition));
            }
        }
    }

    void committed(String consumer, Map<TopicPartition, OffsetAndMetadata> offsets) {
        offsets.forEach((partition, offset) -> {
            PartitionLag lag = lags.get(new Key(consumer, partition));
            if (lag != null) {
                lag.committed(offset.offset());
            }
        });
    }

    /** The client's own metric, which the last fetch has set. */
    private static OptionalDouble recordsBehind(Consumer<?, ?> client, TopicPartition partition) {
        String number = String.valueOf(partition.partition());
        // Some versions of the client have underscores for the dots of a topic in this tag.
        String topic = partition.topic().replace('.', '_');
        for (Map.Entry<MetricName, ? extends Metric> metric : client.metrics().entrySet()) {
            Map<String, String> tags = metric.getKey().tags();
            if (metric.getKey().name().equals(RECORDS_LAG)
                    && number.equals(tags.get("partition"))
                    && topic.equals(Objects.toString(tags.get("topic"), "").replace('.', '_'))
                    && metric.getValue().metricValue() instanceof Double records) {
                return records.isNaN() ? OptionalDouble.empty() : OptionalDouble.of(records);
            }
        }
        return OptionalDouble.empty();
    }

    private record Key(String consumer, TopicPartition partition) {}
}
