package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.StopConsumerException;
import java.time.Duration;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.ListenerContainerPauseService;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Takes a failed record to its retry or to the dead letters, and never past it without one of the two.
 *
 * <p>Until the retry, only the record's partition is paused: polling goes on, so the consumer stays in its group however
 * long the wait, and the other partitions flow.
 */
final class RecordFailures {

    private static final Logger LOG = LoggerFactory.getLogger(RecordFailures.class);

    private final ConsumerName consumerName;
    private final FailedRecords failedRecords;
    private final DeadLetterQueue deadLetters;
    private final ListenerContainerPauseService pauses;
    private final EventReader reader;
    private final InboxListener listener;
    private final ConsumerStop stop;

    RecordFailures(
            ConsumerName consumerName,
            FailedRecords failedRecords,
            DeadLetterQueue deadLetters,
            ListenerContainerPauseService pauses,
            EventReader reader,
            InboxListener listener) {
        this.consumerName = consumerName;
        this.failedRecords = failedRecords;
        this.deadLetters = deadLetters;
        this.pauses = pauses;
        this.reader = reader;
        this.listener = listener;
        this.stop = new ConsumerStop(consumerName, listener);
    }

    /**
     * Does with a failed record what is to be done. Until its next attempt, its partition is paused; or the container is
     * stopped.
     *
     * @return whether the record is settled, so that its offset may be committed; if not, it is to be fetched again
     */
    boolean settle(
            ConsumerRecord<?, ?> record,
            Exception thrown,
            MessageListenerContainer container,
            Consumer<?, ?> consumer) {
        FailedDelivery delivery = new FailedDelivery(record, reader.findId(record), FailureCause.of(thrown));
        StopConsumerException demand = ConsumerStop.demandedBy(thrown);
        if (demand != null) {
            stop.before(delivery.position(), demand, container);
            return false;
        }
        listener.failed(consumerName.value(), delivery.eventId(), delivery.position(), delivery.cause());
        FailedRecords.Decision decision = failedRecords.add(record, delivery.cause());
        if (decision.delay() == null) {
            return deadLettered(delivery, decision, container, consumer);
        }
        LOG.warn(
                "Consumer '{}' failed on {}: {}. {}, {} attempt(s) so far; next try in {} ms",
                consumerName,
                delivery,
                FailureCause.describe(delivery.cause()),
                decision.kind(),
                decision.attempts(),
                decision.delay());
        LOG.debug("Cause of the failure on {}", delivery, FailureCause.loggable(delivery.cause()));
        pause(container, record, decision.delay());
        return false;
    }

    /** Whether the database is the cause, so that other records would fail as well. */
    boolean isTransient(Exception thrown) {
        return failedRecords.isTransient(FailureCause.of(thrown));
    }

    /** What is known of the records that fail. */
    FailedRecords known() {
        return failedRecords;
    }

    /** Has a record's partition wait for the rest of the record's delay. */
    void keepWaiting(ConsumerRecord<?, ?> record, MessageListenerContainer container) {
        pause(container, record, failedRecords.remainingDelay(record));
    }

    private boolean deadLettered(
            FailedDelivery delivery,
            FailedRecords.Decision failures,
            MessageListenerContainer container,
            Consumer<?, ?> consumer) {
        String place = deadLetters.placeOf(delivery.record());
        boolean added;
        try {
            added = deadLetters.add(delivery, failures, consumer);
        } catch (RuntimeException | Error e) {
            long delay = failedRecords.delayAfterFailedDeadLetter(delivery.record());
            LOG.error(
                    "Consumer '{}' cannot process {} ({}), and cannot dead-letter it to {} either. Its partition waits;"
                            + " next try in {} ms. {}",
                    consumerName,
                    delivery,
                    FailureCause.describe(delivery.cause()),
                    place,
                    delay,
                    deadLetters.remedy(),
                    FailureCause.loggable(e));
            pause(container, delivery.record(), delay);
            return false;
        }
        failedRecords.settle(delivery.record());
        if (!added) {
            LOG.info(
                    "Consumer '{}' skips {}, which failed: it was processed or dead-lettered before",
                    consumerName,
                    delivery);
            return true;
        }
        LOG.error(
                "Consumer '{}' dead-lettered {} to {} after {} attempt(s): {}",
                consumerName,
                delivery,
                place,
                failures.attempts(),
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
