package dev.outbox.kafka;

import dev.outbox.AppendLimits;
import dev.outbox.Delivery;
import dev.outbox.EventPublisher;
import dev.outbox.PublishFailure;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes with a producer of its own, so that serializers, templates and transactions of the application don't matter.
 */
public final class KafkaEventPublisher implements EventPublisher, AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Producer<byte[], byte[]> producer;
    private final Envelope envelope;
    private final TopicGate topics;
    private final long publishTimeout;

    /**
     * @param settings from {@link ProducerSettings#enforce}
     * @param envelope how records are laid out
     * @param onAvailable told when a topic begins to take records; any thread
     */
    public KafkaEventPublisher(Map<String, Object> settings, Envelope envelope, Runnable onAvailable) {
        this.producer = new KafkaProducer<>(settings);
        this.envelope = envelope;
        this.topics = new TopicGate(producer::partitionsFor, onAvailable);
        this.publishTimeout = ProducerSettings.publishTimeout(settings);
    }

    @Override
    public void prepare(Set<String> names) throws InterruptedException {
        topics.await(names.stream().filter(AppendLimits::isLegalTopic).collect(Collectors.toSet()));
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the same result
    public void publish(Delivery delivery, Callback callback) {
        String topic = delivery.event().topic();
        if (!AppendLimits.isLegalTopic(topic)) {
            callback.completed(new PublishFailure(PublishFailure.Kind.PERMANENT, new InvalidTopicException(topic)));
            return;
        }
        if (!topics.isOpen(topic)) {
            callback.completed(new PublishFailure(
                    PublishFailure.Kind.UNAVAILABLE,
                    new UnknownTopicOrPartitionException("topic " + topic + " is not known to take records")));
            return;
        }
        try {
            producer.send(envelope.wrap(delivery), (metadata, failure) -> complete(topic, failure, callback));
        } catch (RuntimeException e) {
            complete(topic, e, callback);
        }
    }

    @Override
    public Availability availability() {
        return topics.anyOpen() ? Availability.AVAILABLE : Availability.UNAVAILABLE;
    }

    @Override
    public long publishTimeout() {
        return publishTimeout;
    }

    @Override
    public void close() {
        topics.close();
        producer.close(CLOSE_TIMEOUT);
    }

    private void complete(String topic, @Nullable Exception exception, Callback callback) {
        if (exception == null) {
            topics.succeeded(topic);
            callback.completed(null);
            return;
        }
        PublishFailure failure = FailureClassifier.classify(exception);
        if (failure.kind() == PublishFailure.Kind.UNAVAILABLE) {
            topics.close(topic, exception);
        }
        callback.completed(failure);
    }
}
