package dev.outbox.inbox.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How far each partition of a poll has come. What stands before its first unfinished record is done. */
final class PollProgress {

    private static final Logger LOG = LoggerFactory.getLogger(PollProgress.class);

    private final ConsumerRecords<?, ?> poll;
    private final Map<TopicPartition, Long> unfinished = new HashMap<>();

    PollProgress(ConsumerRecords<?, ?> poll) {
        this.poll = poll;
    }

    /** Nothing of the poll is done, as far as is known. */
    static PollProgress none(ConsumerRecords<?, ?> poll) {
        PollProgress progress = new PollProgress(poll);
        poll.forEach(progress::stopAt);
        return progress;
    }

    void stopAt(ConsumerRecord<?, ?> record) {
        unfinished.merge(new TopicPartition(record.topic(), record.partition()), record.offset(), Math::min);
    }

    boolean isComplete() {
        return unfinished.isEmpty();
    }

    /** Returns where each partition goes on, by the offset of the next record. */
    Map<TopicPartition, Long> next() {
        Map<TopicPartition, Long> next = new HashMap<>();
        for (TopicPartition partition : poll.partitions()) {
            List<? extends ConsumerRecord<?, ?>> records = poll.records(partition);
            Long stop = unfinished.get(partition);
            next.put(partition, stop == null ? records.get(records.size() - 1).offset() + 1 : stop);
        }
        return next;
    }

    /** Has the unfinished records fetched again. */
    void seekBack(Consumer<?, ?> consumer) {
        unfinished.forEach((partition, offset) -> {
            try {
                consumer.seek(partition, offset);
            } catch (IllegalStateException e) {
                LOG.debug("{} is not assigned any more; who has it now begins at its committed offset", partition, e);
            }
        });
    }

    /**
     * Commits the offsets of what is done. If that fails, those records arrive again as duplicates, so nothing is thrown.
     *
     * @param timeout the consumer's own if null
     */
    void commit(Consumer<?, ?> consumer, @Nullable Duration timeout) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        next().forEach((partition, offset) -> {
            if (offset > poll.records(partition).get(0).offset()) {
                offsets.put(partition, new OffsetAndMetadata(offset));
            }
        });
        if (offsets.isEmpty()) {
            return;
        }
        try {
            if (timeout == null) {
                consumer.commitSync(offsets);
            } else {
                consumer.commitSync(offsets, timeout);
            }
        } catch (CommitFailedException | RebalanceInProgressException e) {
            LOG.info("A rebalance came before the offsets {}; their records may arrive again", offsets);
            LOG.debug("Commit that a rebalance prevented", e);
        } catch (KafkaException e) {
            LOG.warn("The offsets {} could not be committed; their records may arrive again", offsets, e);
        }
    }
}
