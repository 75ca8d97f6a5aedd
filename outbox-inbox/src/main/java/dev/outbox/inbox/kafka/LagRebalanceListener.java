package dev.outbox.inbox.kafka;

import java.util.Collection;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;

/** Knows which partitions a consumer has, and passes everything on to the listener that was there before. */
final class LagRebalanceListener implements ConsumerAwareRebalanceListener {

    private final PartitionLags lags;
    private final String consumerName;
    private final @Nullable ConsumerRebalanceListener next;
    private final @Nullable ConsumerAwareRebalanceListener aware;

    LagRebalanceListener(PartitionLags lags, String consumerName, @Nullable ConsumerRebalanceListener next) {
        this.lags = lags;
        this.consumerName = consumerName;
        this.next = next;
        this.aware = next instanceof ConsumerAwareRebalanceListener listener ? listener : null;
    }

    @Override
    public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        lags.assigned(consumerName, partitions, consumer);
        if (aware != null) {
            aware.onPartitionsAssigned(consumer, partitions);
        } else if (next != null) {
            next.onPartitionsAssigned(partitions);
        }
    }

    @Override
    public void onPartitionsRevokedBeforeCommit(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        if (aware != null) {
            aware.onPartitionsRevokedBeforeCommit(consumer, partitions);
        } else if (next != null) {
            next.onPartitionsRevoked(partitions);
        }
    }

    @Override
    public void onPartitionsRevokedAfterCommit(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        lags.revoked(consumerName, partitions);
        if (aware != null) {
            aware.onPartitionsRevokedAfterCommit(consumer, partitions);
        }
    }

    @Override
    public void onPartitionsLost(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        lags.revoked(consumerName, partitions);
        if (aware != null) {
            aware.onPartitionsLost(consumer, partitions);
        } else if (next != null) {
            next.onPartitionsLost(partitions);
        }
    }
}
