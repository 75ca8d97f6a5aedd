package dev.outbox.inbox.kafka;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a consumer's partitions go on if nothing is known but what is committed. */
final class CommittedPositions {

    private static final Logger LOG = LoggerFactory.getLogger(CommittedPositions.class);

    private CommittedPositions() {}

    /**
     * Has everything fetched again that is not committed, from the beginning where nothing is. What was processed comes as
     * duplicates.
     *
     * @throws org.apache.kafka.common.KafkaException if the broker does not tell what is committed; nothing has changed
     */
    static void seekTo(Consumer<?, ?> consumer) {
        Set<TopicPartition> assigned = consumer.assignment();
        Map<TopicPartition, @Nullable OffsetAndMetadata> committed = consumer.committed(assigned);
        for (TopicPartition partition : assigned) {
            OffsetAndMetadata offset = committed.get(partition);
            try {
                if (offset == null) {
                    consumer.seekToBeginning(Set.of(partition));
                } else {
                    consumer.seek(partition, offset.offset());
                }
            } catch (IllegalStateException e) {
                LOG.debug("{} is not assigned any more; who has it now begins at its committed offset", partition, e);
            }
        }
    }
}
