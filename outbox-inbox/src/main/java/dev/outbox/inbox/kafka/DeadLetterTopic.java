package dev.outbox.inbox.kafka;

import dev.outbox.inbox.DeadLetterSettings;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer.HeaderNames.HeadersToAdd;

/** Copies records to the dead-letter topic of their topic. A copy is durable when {@link #add} returns. */
final class DeadLetterTopic {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterTopic.class);
    private static final int ANY_PARTITION = -1;
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final DeadLetterSettings settings;
    private final DeadLetterPublishingRecoverer described;
    private final DeadLetterPublishingRecoverer verbatim;

    /**
     * @param group consumer group, as the copies name it
     */
    DeadLetterTopic(KafkaOperations<byte[], byte[]> kafka, DeadLetterSettings settings, String group) {
        this.settings = settings;
        this.described = new Recoverer(kafka, settings);
        this.described.setHeadersFunction((record, cause) -> DeadLetterHeaders.of(record, cause, group));
        this.verbatim = new Recoverer(kafka, settings);
    }

    String nameFor(ConsumerRecord<?, ?> record) {
        return settings.topicFor(record.topic());
    }

    /**
     * @throws KafkaException if the copy may not be durable
     */
    void add(FailedDelivery delivery, Consumer<?, ?> consumer) {
        ConsumerRecord<?, ?> record = delivery.record();
        Exception cause = delivery.cause();
        try {
            described.accept(record, consumer, cause);
        } catch (KafkaException e) {
            if (!(e.getRootCause() instanceof RecordTooLargeException)) {
                throw e;
            }
            LOG.warn(
                    "The dead letter of {}-{}@{} is too large for {} with the headers that describe it, so it goes"
                            + " without. Let that topic's max.message.bytes be larger than the source's",
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    nameFor(record));
            verbatim.accept(record, consumer, cause);
        }
    }

    private static final class Recoverer extends DeadLetterPublishingRecoverer {

        private final Duration limit;

        private Recoverer(KafkaOperations<byte[], byte[]> kafka, DeadLetterSettings settings) {
            // The key decides on the partition: the topic may have fewer than the source.
            super(kafka, (record, cause) -> new TopicPartition(settings.topicFor(record.topic()), ANY_PARTITION));
            this.limit = settings.deliveryTimeout().plus(MARGIN);
            setVerifyPartition(false);
            excludeHeader(HeadersToAdd.values());
            setExceptionHeadersCreator((headers, exception, isKey, names) -> {});
        }

        /** The inherited one hides why a send was refused at once. */
        @Override
        protected void publish(
                ProducerRecord<Object, Object> copy,
                KafkaOperations<Object, Object> kafka,
                ConsumerRecord<?, ?> record) {
            try {
                kafka.send(copy).get(limit.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw failure(copy, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw failure(copy, e);
            }
        }

        private static KafkaException failure(ProducerRecord<?, ?> copy, @Nullable Exception cause) {
            return new KafkaException("No acknowledgement from " + copy.topic(), cause);
        }
    }
}
