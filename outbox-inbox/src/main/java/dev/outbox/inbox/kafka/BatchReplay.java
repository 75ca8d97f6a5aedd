package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Processes the records of a poll one by one, each in a transaction of its own, after their common one was rolled back:
 * only then is it known which of them fails.
 *
 * <p>A partition ends at its first record that is not settled, the whole replay at the first failure that the database
 * causes, at a stop, or when the next poll is due.
 */
final class BatchReplay implements FailedPoll {

    private static final Logger LOG = LoggerFactory.getLogger(BatchReplay.class);

    private final ConsumerName consumerName;
    private final EventProcessor processor;
    private final RecordFailures failures;
    private final PollWatch watch;

    BatchReplay(ConsumerName consumerName, EventProcessor processor, RecordFailures failures, PollWatch watch) {
        this.consumerName = consumerName;
        this.processor = processor;
        this.failures = failures;
        this.watch = watch;
    }

    @Override
    public PollProgress resolve(
            Exception cause, ConsumerRecords<?, ?> poll, Consumer<?, ?> consumer, MessageListenerContainer container) {
        if (poll.count() == 1 && !(cause instanceof SuspectPollException)) {
            return only(poll, cause, consumer, container);
        }
        LOG.info(
                "Consumer '{}' processes the {} records of a poll one by one: {}",
                consumerName,
                poll.count(),
                FailureCause.describe(cause));
        Replay replay = new Replay(consumer, container);
        PollProgress progress = new PollProgress(poll);
        for (TopicPartition partition : poll.partitions()) {
            for (ConsumerRecord<?, ?> record : poll.records(partition)) {
                if (replay.isOver() || !replay.settles(record)) {
                    progress.stopAt(record);
                    break;
                }
            }
        }
        watch.processed(0, consumer);
        return progress;
    }

    /** The failure of a single record is its own. */
    private PollProgress only(
            ConsumerRecords<?, ?> poll, Exception cause, Consumer<?, ?> consumer, MessageListenerContainer container) {
        PollProgress progress = new PollProgress(poll);
        ConsumerRecord<?, ?> record = poll.iterator().next();
        if (!failures.settle(record, cause, container, consumer)) {
            progress.stopAt(record);
        }
        return progress;
    }

    private final class Replay {

        private final Consumer<?, ?> consumer;
        private final MessageListenerContainer container;
        private boolean begun;
        private boolean databaseFailed;

        private Replay(Consumer<?, ?> consumer, MessageListenerContainer container) {
            this.consumer = consumer;
            this.container = container;
        }

        /** The first record is processed in any case, so that each poll comes further. */
        private boolean isOver() {
            return databaseFailed || !container.isRunning() || (begun && watch.isPollDue(consumer));
        }

        @SuppressWarnings("unchecked") // the consumer's deserializers are forced
        private boolean settles(ConsumerRecord<?, ?> record) {
            begun = true;
            try {
                processor.process((ConsumerRecord<byte[], byte[]>) record, consumer);
                failures.known().remove(record);
                return true;
            } catch (RuntimeException e) {
                databaseFailed = failures.isTransient(e);
                return failures.settle(record, e, container, consumer);
            }
        }
    }
}
