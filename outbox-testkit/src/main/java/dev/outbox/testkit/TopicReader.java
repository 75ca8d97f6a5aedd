package dev.outbox.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;

/** Reads a topic from its beginning, without a consumer group. */
final class TopicReader implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final List<ConsumerRecord<byte[], byte[]>> seen = new ArrayList<>();

    private TopicReader(Consumer<byte[], byte[]> consumer, String topic) {
        this.consumer = consumer;
        this.topic = topic;
    }

    static TopicReader open(KafkaBroker broker, String topic, IsolationLevel isolation) {
        TopicReader reader = new TopicReader(
                new KafkaConsumer<>(
                        Map.of(
                                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                                broker.bootstrapServers(),
                                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                                isolation.toString().toLowerCase(Locale.ROOT),
                                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                                false,
                                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                                (int) ANSWER_LIMIT.toMillis()),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer()),
                topic);
        try {
            reader.assignAll();
            return reader;
        } catch (RuntimeException e) {
            reader.close();
            throw e;
        }
    }

    private void assignAll() {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        if (partitions.isEmpty()) {
            throw new IllegalArgumentException("Topic %s does not exist; create it first".formatted(topic));
        }
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Reads on to the offsets that are the end now, and returns everything read so far. */
    List<ConsumerRecord<byte[], byte[]>> readToEnd() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment(), ANSWER_LIMIT);
        Awaitility.await("end of topic " + topic)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(ANSWER_LIMIT)
                .until(() -> {
                    boolean reached = reached(ends);
                    if (!reached) {
                        consumer.poll(POLL).forEach(seen::add);
                    }
                    return reached;
                });
        return sorted();
    }

    List<ConsumerRecord<byte[], byte[]>> awaitRecords(int count, Duration limit) {
        Awaitility.await("at least %d records in topic %s".formatted(count, topic))
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .atMost(limit)
                .until(() -> readToEnd().size(), size -> size >= count);
        return sorted();
    }

    private boolean reached(Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream()
                .allMatch(end -> consumer.position(end.getKey(), ANSWER_LIMIT) >= end.getValue());
    }

    private List<ConsumerRecord<byte[], byte[]>> sorted() {
        return seen.stream()
                .sorted(Comparator.<ConsumerRecord<byte[], byte[]>>comparingInt(ConsumerRecord::partition)
                        .thenComparingLong(ConsumerRecord::offset))
                .toList();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
