package dev.outbox.kafka;

import dev.outbox.AppendLimits;
import dev.outbox.Delivery;
import dev.outbox.EventPublisher;
import dev.outbox.PublishFailure;
import dev.outbox.PublishFailure.Kind;
import dev.outbox.PublishFailureClassifier;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes with a producer of its own, so that serializers, templates and transactions of the application don't matter.
 *
 * <p>Nothing is sent to a topic that is not known to take records, nor to a broker that doesn't answer; a single record at
 * a time finds out whether that is over. A producer that can't go on is replaced.
 */
public final class KafkaEventPublisher implements EventPublisher, AutoCloseable {

    private static final Duration TRIAL_GRACE = Duration.ofSeconds(5);

    private final Map<String, Object> settings;
    private final Envelope envelope;
    private final PublishFailureClassifier classifier;
    private final RenewableProducer producers;
    private final Gates gates;
    private final long publishTimeout;

    /**
     * @param settings from {@link ProducerSettings#enforce}
     * @param envelope how records are laid out
     * @param classifier {@link #defaultClassifier()}, or one that decides otherwise about some failures
     * @param listener told when a topic can take records
     */
    public KafkaEventPublisher(
            Map<String, Object> settings,
            Envelope envelope,
            PublishFailureClassifier classifier,
            TopicListener listener) {
        this(
                settings,
                envelope,
                classifier,
                new RenewableProducer(() -> new KafkaProducer<>(settings)),
                producer -> new KafkaBrokerProbe(producer, settings),
                listener);
    }

    KafkaEventPublisher(
            Map<String, Object> settings,
            Envelope envelope,
            PublishFailureClassifier classifier,
            RenewableProducer producers,
            Function<RenewableProducer, BrokerProbe> probe,
            TopicListener listener) {
        this.settings = settings;
        this.envelope = envelope;
        this.classifier = new GuardedClassifier(classifier);
        this.producers = producers;
        this.publishTimeout = ProducerSettings.publishTimeout(settings);
        this.gates = new Gates(
                probe.apply(producers),
                listener,
                Duration.ofMillis(publishTimeout).plus(TRIAL_GRACE));
    }

    /**
     * What happens without a classifier of the application. Permanent: what speaks of the record (too large, invalid,
     * refused by a policy). Unavailable: what speaks of topic, broker, connection, authorization or the producer's state.
     * Transient: the rest.
     */
    public static PublishFailureClassifier defaultClassifier() {
        return new FailureClassifier();
    }

    @Override
    public void prepare(Set<String> names) throws InterruptedException {
        gates.await(names.stream().filter(AppendLimits::isLegalTopic).collect(Collectors.toSet()));
    }

    @Override
    public void publish(Delivery delivery, Callback callback) {
        String topic = delivery.event().topic();
        if (!AppendLimits.isLegalTopic(topic)) {
            callback.completed(new PublishFailure(Kind.PERMANENT, new InvalidTopicException(topic)));
            return;
        }
        ProducerRecord<byte[], byte[]> record;
        try {
            record = envelope.wrap(delivery);
        } catch (RuntimeException e) {
            callback.completed(new PublishFailure(classifier.classify(delivery.event(), e), e));
            return;
        }
        Pass pass = gates.enter(topic);
        if (pass == null) {
            callback.completed(new PublishFailure(Kind.UNAVAILABLE, gates.refusal(topic)));
        } else {
            send(record, delivery, pass, callback);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the same result
    private void send(ProducerRecord<byte[], byte[]> record, Delivery delivery, Pass pass, Callback callback) {
        Producer<byte[], byte[]> producer = producers.get();
        try {
            producer.send(record, (metadata, failure) -> complete(producer, delivery, pass, failure, callback));
        } catch (RuntimeException e) {
            if (ClusterFailures.endsProducerAtOnce(e)) {
                retire(producer, e);
            }
            complete(producer, delivery, pass, e, callback);
        }
    }

    @Override
    public Availability availability() {
        return gates.availability();
    }

    @Override
    public long publishTimeout() {
        return publishTimeout;
    }

    @Override
    public void close() {
        gates.close();
        producers.close();
    }

    /** What {@link KafkaTransactionalPublisher} shares. */
    Gates gates() {
        return gates;
    }

    Envelope envelope() {
        return envelope;
    }

    PublishFailureClassifier classifier() {
        return classifier;
    }

    Map<String, Object> settings() {
        return settings;
    }

    private void complete(
            Producer<byte[], byte[]> producer,
            Delivery delivery,
            Pass pass,
            @Nullable Exception failure,
            Callback callback) {
        if (failure == null) {
            gates.acknowledged(pass);
            callback.completed(null);
            return;
        }
        if (ClusterFailures.endsProducer(failure)) {
            retire(producer, failure);
        }
        callback.completed(new PublishFailure(kind(producer, delivery, pass, failure), failure));
    }

    /** What a producer fails that can't go on, or is being closed, failed by no fault of the record. */
    private Kind kind(Producer<byte[], byte[]> producer, Delivery delivery, Pass pass, Exception failure) {
        if (!producers.isInUse(producer)) {
            if (!producers.isClosed()) {
                gates.clusterFailed(pass, failure);
            }
            return Kind.UNAVAILABLE;
        }
        Kind kind = classifier.classify(delivery.event(), failure);
        if (kind == Kind.UNAVAILABLE) {
            gates.failed(pass, failure);
        } else {
            gates.undecided(pass);
        }
        return kind;
    }

    private void retire(Producer<byte[], byte[]> producer, Exception cause) {
        if (producers.retire(producer, cause)) {
            gates.closeAll(cause);
        }
    }
}
