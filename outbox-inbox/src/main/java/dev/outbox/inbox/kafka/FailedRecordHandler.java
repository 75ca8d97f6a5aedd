package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.InboxListener;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ListenerContainerPauseService;
import org.springframework.kafka.listener.ListenerUtils;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.SeekUtils;

/**
 * Takes a failed record to its retry or to the dead-letter topic, and never past it without one of the two.
 *
 * <p>Until the retry, only the record's partition is paused: polling goes on, so the consumer stays in its group however
 * long the wait, and the other partitions flow.
 */
final class FailedRecordHandler implements CommonErrorHandler {

    private static final Logger LOG = LoggerFactory.getLogger(FailedRecordHandler.class);
    private static final Duration PAUSE_AFTER_POLL_FAILURE = Duration.ofSeconds(1);

    private final ConsumerName consumerName;
    private final FailedRecords failedRecords;
    private final DeadLetterTopic deadLetters;
    private final ListenerContainerPauseService pauses;
    private final EventIds eventIds;
    private final InboxListener listener;

    FailedRecordHandler(
            ConsumerName consumerName,
            FailedRecords failedRecords,
            DeadLetterTopic deadLetters,
            ListenerContainerPauseService pauses,
            EventIds eventIds,
            InboxListener listener) {
        this.consumerName = consumerName;
        this.failedRecords = failedRecords;
        this.deadLetters = deadLetters;
        this.pauses = pauses;
        this.eventIds = eventIds;
        this.listener = listener;
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
        SeekUtils.seekOrRecover(
                thrown,
                records,
                consumer,
                container,
                false,
                (failed, cause, from, by) -> recovered(failed, thrown, container, consumer),
                logger(),
                KafkaException.Level.DEBUG);
    }

    @Override
    public void handleOtherException(
            Exception thrown, Consumer<?, ?> consumer, MessageListenerContainer container, boolean batchListener) {
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

    private boolean recovered(
            ConsumerRecord<?, ?> record,
            Exception thrown,
            MessageListenerContainer container,
            Consumer<?, ?> consumer) {
        FailedDelivery delivery = new FailedDelivery(record, eventIds.find(record), FailureCause.of(thrown));
        listener.failed(consumerName.value(), delivery.eventId(), delivery.position(), delivery.cause());
        FailedRecords.Decision decision = failedRecords.add(record, delivery.cause());
        if (decision.delay() == null) {
            return deadLettered(delivery, decision.attempts(), container, consumer);
        }
        LOG.warn(
                "Consumer '{}' failed on {}: {}. {}, {} attempt(s) so far; next try in {} ms",
                consumerName,
                delivery,
                FailureCause.describe(delivery.cause()),
                decision.kind(),
                decision.attempts(),
                decision.delay());
        LOG.debug("Cause of the failure on {}", delivery, delivery.cause());
        pause(container, record, decision.delay());
        return false;
    }

    private boolean deadLettered(
            FailedDelivery delivery, int attempts, MessageListenerContainer container, Consumer<?, ?> consumer) {
        String topic = deadLetters.topicFor(delivery.record());
        try {
            deadLetters.publish(delivery.record(), consumer, delivery.cause());
        } catch (RuntimeException | Error e) {
            long delay = failedRecords.delayAfterFailedDeadLetter(delivery.record());
            LOG.error(
                    "Consumer '{}' cannot process {} ({}), and cannot dead-letter it to {} either. Its partition waits;"
                            + " next try in {} ms. Let that topic exist, be writable, and have a max.message.bytes"
                            + " larger than the source's",
                    consumerName,
                    delivery,
                    FailureCause.describe(delivery.cause()),
                    topic,
                    delay,
                    e);
            pause(container, delivery.record(), delay);
            return false;
        }
        failedRecords.remove(delivery.record());
        LOG.error(
                "Consumer '{}' dead-lettered {} to {} after {} attempt(s): {}",
                consumerName,
                delivery,
                topic,
                attempts,
                FailureCause.describe(delivery.cause()),
                FailureCause.loggable(delivery.cause()));
        listener.deadLettered(consumerName.value(), delivery.eventId(), delivery.position(), delivery.cause());
        return true;
    }

    private void pause(MessageListenerContainer container, ConsumerRecord<?, ?> record, long delay) {
        // A container that is being stopped may hold the lock that a pause needs until this thread has ended.
        if (container.isRunning()) {
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            pauses.pausePartition(container, partition, Duration.ofMillis(delay));
        }
    }
}
