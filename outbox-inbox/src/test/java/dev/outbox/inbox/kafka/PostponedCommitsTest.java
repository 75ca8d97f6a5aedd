package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.support.TopicPartitionOffset;

class PostponedCommitsTest {

    private static final TopicPartition PARTITION = new TopicPartition("orders.v1", 0);
    private static final int RECORDS = 9;

    private final RebalancingConsumer consumer = new RebalancingConsumer();

    static List<RuntimeException> failures() {
        return List.of(
                new TimeoutException("no answer"),
                new TopicAuthorizationException("orders.v1"),
                new CommitFailedException());
    }

    @ParameterizedTest
    @MethodSource("failures")
    void noPolledRecordIsDroppedWhenACommitThatARebalanceHasPutOffFails(RuntimeException failure) {
        consumer.failures.addAll(List.of(new RebalanceInProgressException(), failure));
        List<Long> received = new CopyOnWriteArrayList<>();
        KafkaMessageListenerContainer<byte[], byte[]> container = container(received);
        container.start();
        try {
            await().untilAsserted(() -> assertThat(received)
                    .isEqualTo(LongStream.range(0, RECORDS).boxed().toList()));
            await().untilAsserted(() -> assertThat(consumer.lastCommit).isEqualTo(RECORDS));
            assertThat(consumer.failures).isEmpty();
        } finally {
            container.stop();
        }
    }

    @Test
    void whatARebalanceHasPutOffIsCommittedBeforeTheNextPoll() {
        consumer.assign(List.of(PARTITION));
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.failures.addAll(List.of(new RebalanceInProgressException(), new RebalanceInProgressException()));
        var postponing = PostponedCommits.of(consumer);

        postponing.commitSync(Map.of(PARTITION, new OffsetAndMetadata(3)), Duration.ofSeconds(1));
        postponing.poll(Duration.ZERO);
        assertThat(consumer.lastCommit).isZero();
        postponing.poll(Duration.ZERO);

        assertThat(consumer.lastCommit).isEqualTo(3);
    }

    @Test
    void anOffsetOfAPartitionThatIsTakenAwayIsForgotten() {
        consumer.records = 0;
        consumer.assign(List.of(PARTITION));
        consumer.failures.add(new RebalanceInProgressException());
        var postponing = PostponedCommits.of(consumer);

        postponing.commitSync(Map.of(PARTITION, new OffsetAndMetadata(3)), Duration.ofSeconds(1));
        consumer.assign(List.of());
        postponing.poll(Duration.ZERO);

        assertThat(consumer.lastCommit).isZero();
    }

    private KafkaMessageListenerContainer<byte[], byte[]> container(List<Long> received) {
        ContainerProperties properties = new ContainerProperties(new TopicPartitionOffset("orders.v1", 0));
        properties.setAckMode(ContainerProperties.AckMode.RECORD);
        properties.setGroupId("billing");
        properties.setAuthExceptionRetryInterval(Duration.ofMillis(1));
        properties.setMessageListener((MessageListener<byte[], byte[]>) record -> received.add(record.offset()));
        var container = new KafkaMessageListenerContainer<>(new RebalancingConsumers(consumer), properties);
        container.setCommonErrorHandler(new DefaultErrorHandler());
        return container;
    }

    private static final class RebalancingConsumers extends DefaultKafkaConsumerFactory<byte[], byte[]> {

        private final RebalancingConsumer consumer;

        private RebalancingConsumers(RebalancingConsumer consumer) {
            super(Map.of());
            this.consumer = consumer;
            addPostProcessor(PostponedCommits::of);
        }

        @Override
        protected RebalancingConsumer createRawConsumer(Map<String, Object> configuration) {
            return consumer;
        }
    }

    /** Polls one record at a time; commits fail with what is planned. */
    private static final class RebalancingConsumer extends MockConsumer<byte[], byte[]> {

        private final Deque<RuntimeException> failures = new ArrayDeque<>();
        private int records = RECORDS;
        private volatile long lastCommit;

        private RebalancingConsumer() {
            super("earliest");
            setMaxPollRecords(1);
        }

        @Override
        public synchronized void assign(Collection<TopicPartition> partitions) {
            super.assign(partitions);
            if (!partitions.isEmpty()) {
                updateBeginningOffsets(Map.of(PARTITION, 0L));
                LongStream.range(0, records)
                        .forEach(offset -> addRecord(
                                new ConsumerRecord<>(PARTITION.topic(), 0, offset, new byte[0], new byte[0])));
            }
        }

        @Override
        public synchronized void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
            RuntimeException failure = failures.poll();
            if (failure != null) {
                throw failure;
            }
            lastCommit = Objects.requireNonNull(offsets.get(PARTITION)).offset();
        }
    }
}
