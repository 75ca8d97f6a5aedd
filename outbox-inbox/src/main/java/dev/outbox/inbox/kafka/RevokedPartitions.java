package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import java.util.Collection;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;

/** Has the failures of partitions forgotten that others may consume from now on, beside what is told of rebalances. */
final class RevokedPartitions implements ConsumerAwareRebalanceListener {

    private static final Logger LOG = LoggerFactory.getLogger(RevokedPartitions.class);

    private final FailedRecords failed;
    private final ConsumerRebalanceListener told;

    /**
     * @param told what is told besides; rebalances are logged if null, as spring-kafka does
     */
    RevokedPartitions(ConsumerName consumerName, FailedRecords failed, @Nullable ConsumerRebalanceListener told) {
        this.failed = failed;
        this.told = told == null ? new Logged(consumerName) : told;
    }

    @Override
    public void onPartitionsRevokedBeforeCommit(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        if (told instanceof ConsumerAwareRebalanceListener aware) {
            aware.onPartitionsRevokedBeforeCommit(consumer, partitions);
        } else {
            told.onPartitionsRevoked(partitions);
        }
    }

    @Override
    public void onPartitionsRevokedAfterCommit(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        failed.forget(partitions);
        if (told instanceof ConsumerAwareRebalanceListener aware) {
            aware.onPartitionsRevokedAfterCommit(consumer, partitions);
        }
    }

    @Override
    public void onPartitionsLost(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        failed.forget(partitions);
        if (told instanceof ConsumerAwareRebalanceListener aware) {
            aware.onPartitionsLost(consumer, partitions);
        } else {
            told.onPartitionsLost(partitions);
        }
    }

    @Override
    public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        if (told instanceof ConsumerAwareRebalanceListener aware) {
            aware.onPartitionsAssigned(consumer, partitions);
        } else {
            told.onPartitionsAssigned(partitions);
        }
    }

    private record Logged(ConsumerName consumerName) implements ConsumerRebalanceListener {

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            LOG.info("Consumer '{}': partitions revoked: {}", consumerName, partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            LOG.info("Consumer '{}': partitions lost: {}", consumerName, partitions);
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            LOG.info("Consumer '{}': partitions assigned: {}", consumerName, partitions);
        }
    }
}
