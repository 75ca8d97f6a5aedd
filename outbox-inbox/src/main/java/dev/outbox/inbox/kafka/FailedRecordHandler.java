package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ListenerUtils;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.SeekUtils;

/** What a container does after a failure: it never goes past a record that is neither processed nor dead-lettered. */
final class FailedRecordHandler implements CommonErrorHandler {

    private static final Logger LOG = LoggerFactory.getLogger(FailedRecordHandler.class);
    private static final Duration PAUSE_AFTER_POLL_FAILURE = Duration.ofSeconds(1);

    private final ConsumerName consumerName;
    private final RecordFailures failures;

    FailedRecordHandler(ConsumerName consumerName, RecordFailures failures) {
        this.consumerName = consumerName;
        this.failures = failures;
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
                (failed, cause, from, by) -> failures.settle(failed, thrown, container, consumer),
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
}
