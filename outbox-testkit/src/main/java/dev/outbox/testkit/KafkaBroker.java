package dev.outbox.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;

/**
 * A real Kafka broker (or cluster of them) for tests. Topics are never created by themselves.
 *
 * <p>The shared broker runs in this JVM, or in a container when the system property {@code outbox.test.servers} or the
 * environment variable {@code OUTBOX_TEST_SERVERS} says {@code testcontainers}.
 */
public interface KafkaBroker {

    /** Returns the broker that all tests of this JVM share; started by the first call, stopped with the JVM. */
    static KafkaBroker shared() {
        return SharedServers.kafka();
    }

    /** Returns the addresses for {@code bootstrap.servers}. */
    String bootstrapServers();

    /** Returns how many replicas a new topic has. */
    default short replicas() {
        return 1;
    }

    /** Creates a topic, waits until every partition has a leader, and returns its name: the prefix and a unique end. */
    default String createTopic(String prefix, int partitions) {
        return createTopic(prefix, partitions, Map.of());
    }

    /**
     * Creates a topic, waits until every partition has a leader, and returns its name.
     *
     * @param prefix beginning of the name; the end is unique
     * @param partitions number of partitions
     * @param configs topic settings, such as {@code cleanup.policy}
     */
    default String createTopic(String prefix, int partitions, Map<String, String> configs) {
        return Topics.create(this, prefix, partitions, configs);
    }

    /** Returns every record of a topic, those of open and aborted transactions included, by partition and offset. */
    default List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        return records(topic, IsolationLevel.READ_UNCOMMITTED);
    }

    /** Returns every record of a topic from the beginning to its current end, by partition and offset. */
    default List<ConsumerRecord<byte[], byte[]>> records(String topic, IsolationLevel isolation) {
        try (TopicReader reader = TopicReader.open(this, topic, isolation)) {
            return reader.readToEnd();
        }
    }

    /**
     * Waits until a topic has at least {@code count} records, and returns all it has, by partition and offset.
     *
     * @throws org.awaitility.core.ConditionTimeoutException if they are not there within the limit
     */
    default List<ConsumerRecord<byte[], byte[]>> awaitRecords(String topic, int count, Duration limit) {
        try (TopicReader reader = TopicReader.open(this, topic, IsolationLevel.READ_UNCOMMITTED)) {
            return reader.awaitRecords(count, limit);
        }
    }
}
