package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.listener.ListenerUtils;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.SeekUtils;

/** What a container does after a failure: it never goes past a record that is neither processed nor dead-lettered. */
final class FailedRecordHandler implements CommonErrorHandler {

    private static final Logger LOG = LoggerFactory.getLogger(FailedRecordHandler.class);
    private static final Duration PAUSE_AFTER_POLL_FAILURE = Duration.ofSeconds(1);

    private final ConsumerName consumerName;
    private final RecordFailures failures;
    private final FailedPoll failedPoll;

    /** Makes one for a container whose listener takes record by record. */
    FailedRecordHandler(ConsumerName consumerName, RecordFailures failures) {
        this(consumerName, failures, (cause, poll, consumer, container) -> PollProgress.none(poll));
    }

    /** Makes one for a container whose listener takes whole polls. */
    FailedRecordHandler(ConsumerName consumerName, RecordFailures failures, FailedPoll failedPoll) {
        this.consumerName = consumerName;
        this.failures = failures;
        this.failedPoll = failedPoll;
    }

    /** The container then commits the offsets of the records before the failed one, and fetches from it again. */
    @Override
    public boolean seeksAfterHandling() {
        return true;
    }

    @Override
    public void handleRemaining(
            Exception thrown,
            List<ConsumerRecord<?, ?>> records,
            Consumer<?, ?> consumer,
            MessageListenerContainer container) {
        ConsumerRecord<?, ?> first = records.get(0);
        failures.known().passed(new TopicPartition(first.topic(), first.partition()), first.offset());
        SeekUtils.seekOrRecover(
                thrown,
                records,
                consumer,
                container,
                false,
                (failed, cause, from, by) -> failures.settle(failed, thrown, container, consumer),
                logger(),
                KafkaException.Level.DEBUG);
    }

    /** Returns if all records are settled, so that the container commits the offsets of the poll; throws if not. */
    @Override
    public void handleBatch(
            Exception thrown,
            ConsumerRecords<?, ?> poll,
            Consumer<?, ?> consumer,
            MessageListenerContainer container,
            Runnable invokeListener) {
        PollProgress progress = thrown instanceof ListenerExecutionFailedException
                ? failedPoll.resolve(FailureCause.of(thrown), poll, consumer, container)
                : uncommitted(thrown, poll, container);
        progress.next().forEach(failures.known()::passed);
        if (!progress.isComplete()) {
            progress.seekBack(consumer);
            progress.commit(consumer, container.getContainerProperties().getSyncCommitTimeout());
            throw new KafkaException(
                    "Records of the poll are fetched again from where it is unfinished",
                    KafkaException.Level.DEBUG,
                    thrown);
        }
    }

    /** The database has committed, the offsets have not been: no record has failed, and all come again as duplicates. */
    private PollProgress uncommitted(Exception thrown, ConsumerRecords<?, ?> poll, MessageListenerContainer container) {
        if (thrown instanceof CommitFailedException) {
            LOG.warn(
                    "Consumer '{}' was thrown out of its group before the offsets of {} records could be committed;"
                            + " they arrive again, as duplicates",
                    consumerName,
                    poll.count());
        } else {
            waitAfter(thrown, container);
        }
        return PollProgress.none(poll);
    }

    /**
     * The container may have polled records and then failed before it passed them on. The consumer's position is past
     * them, so it goes back to what is committed, and nothing is polled before it has.
     */
    @Override
    public void handleOtherException(
            Exception thrown, Consumer<?, ?> consumer, MessageListenerContainer container, boolean batchListener) {
        waitAfter(thrown, container);
        while (container.isRunning() && !Thread.currentThread().isInterrupted()) {
            try {
                CommittedPositions.seekTo(consumer);
                return;
            } catch (org.apache.kafka.common.KafkaException e) {
                waitAfter(e, container);
            }
        }
    }

    private void waitAfter(Exception thrown, MessageListenerContainer container) {
        LOG.error(
                "Consumer '{}' could not poll or commit; next try in {}",
                consumerName,
                PAUSE_AFTER_POLL_FAILURE,
                thrown);
        try {
            ListenerUtils.stoppableSleep(container, PAUSE_AFTER_POLL_FAILURE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
