package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Delivery;
import dev.outbox.EventPublisher.Availability;
import dev.outbox.PublishFailure;
import dev.outbox.PublishFailure.Kind;
import dev.outbox.PublishFailureClassifier;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What follows from the states of a producer, which a broker can't be made to cause. */
class KafkaEventPublisherTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final List<MockProducer<byte[], byte[]>> producers = new CopyOnWriteArrayList<>();
    private final List<String> ends = new CopyOnWriteArrayList<>();
    private final List<PublishFailure> failures = new CopyOnWriteArrayList<>();
    private volatile boolean brokerAnswers = true;
    private KafkaEventPublisher publisher = publisher(KafkaEventPublisher.defaultClassifier());

    @AfterEach
    void close() {
        publisher.close();
    }

    @Test
    void aProducerThatCannotGoOnIsReplacedAndOneRecordTriesTheNew() throws InterruptedException {
        publish("1");
        publish("2");
        publish("3");
        brokerAnswers = false;
        last().errorNext(new ClusterAuthorizationException("no idempotent writes"));
        assertThat(failures).extracting(PublishFailure::kind).containsExactly(Kind.UNAVAILABLE);
        assertThat(publisher.availability()).isEqualTo(Availability.UNAVAILABLE);
        publish("4");
        assertThat(failures).hasSizeGreaterThanOrEqualTo(2);
        assertThat(producers).hasSize(1);

        brokerAnswers = true;
        await().atMost(LIMIT).until(() -> publisher.availability() == Availability.PROBING);
        assertThat(producers).hasSize(2);
        assertThat(producers.get(0).closed()).isTrue();
        publish("5");
        publish("6");
        assertThat(last().history()).hasSize(1);
        last().completeNext();

        assertThat(ends).contains("5");
        assertThat(publisher.availability()).isEqualTo(Availability.AVAILABLE);
        assertThat(failures).extracting(PublishFailure::kind).containsOnly(Kind.UNAVAILABLE);
    }

    @Test
    void aProducerThatRefusesToSendIsReplaced() throws InterruptedException {
        publisher.prepare(Set.of("orders"));
        last().sendException = new KafkaException("because a previous request failed", new IllegalStateException());
        publish("1");

        assertThat(failures).extracting(PublishFailure::kind).containsExactly(Kind.UNAVAILABLE);
        await().atMost(LIMIT).until(() -> producers.size() == 2);
    }

    @Test
    void aFailureOfOneRecordReplacesNothing() throws InterruptedException {
        publisher.prepare(Set.of("orders"));
        last().sendException = new IllegalStateException("the partitioner's");
        publish("1");

        assertThat(failures).extracting(PublishFailure::kind).containsExactly(Kind.TRANSIENT);
        assertThat(publisher.availability()).isEqualTo(Availability.AVAILABLE);
        assertThat(producers).hasSize(1);
    }

    @Test
    void whatIsUnderWayWhileThePublisherClosesCostsNoAttempt() throws InterruptedException {
        publish("1");
        publisher.close();
        last().errorNext(new KafkaException("Producer is closed forcefully."));
        assertThat(failures).extracting(PublishFailure::kind).containsExactly(Kind.UNAVAILABLE);
    }

    @Test
    void anApplicationDecidesAboutAFailureAndHandsOnTheOthers() throws InterruptedException {
        publisher.close();
        PublishFailureClassifier standard = KafkaEventPublisher.defaultClassifier();
        publisher = publisher((event, cause) ->
                cause instanceof NotEnoughReplicasException ? Kind.TRANSIENT : standard.classify(event, cause));
        publish("1");
        publish("2");
        last().errorNext(new NotEnoughReplicasException("x"));
        last().errorNext(new PolicyViolationException("x"));
        assertThat(failures).extracting(PublishFailure::kind).containsExactly(Kind.TRANSIENT, Kind.PERMANENT);
        assertThat(publisher.availability()).isEqualTo(Availability.AVAILABLE);
    }

    @Test
    void aClassifierThatFailsCostsAnAttempt() throws InterruptedException {
        publisher.close();
        publisher = publisher((event, cause) -> {
            throw new UnsupportedOperationException("broken");
        });
        publish("1");
        publish("2");
        last().errorNext(new NotEnoughReplicasException("x"));
        last().errorNext(new NotEnoughReplicasException("x"));
        assertThat(failures).extracting(PublishFailure::kind).containsExactly(Kind.TRANSIENT, Kind.TRANSIENT);
    }

    @Test
    void anIllegalTopicNeverReachesTheClient() {
        Delivery delivery = Records.delivery("bad/topic", "1");
        publisher.publish(delivery, this::failed);
        assertThat(failures).extracting(PublishFailure::kind).containsExactly(Kind.PERMANENT);
    }

    private void publish(String id) throws InterruptedException {
        publisher.prepare(Set.of("orders"));
        publisher.publish(Records.delivery("orders", id), failure -> {
            ends.add(id);
            failed(failure);
        });
    }

    private void failed(@Nullable PublishFailure failure) {
        if (failure != null) {
            failures.add(failure);
        }
    }

    private MockProducer<byte[], byte[]> last() {
        return producers.get(producers.size() - 1);
    }

    private KafkaEventPublisher publisher(PublishFailureClassifier classifier) {
        Map<String, Object> settings = ProducerSettings.enforce(Map.of("bootstrap.servers", "localhost:1"));
        return new KafkaEventPublisher(
                settings,
                new Envelope(EnvelopeMode.BINARY, URI.create("/test"), ""),
                classifier,
                new RenewableProducer(this::newProducer),
                renewable -> new BrokerProbe() {
                    @Override
                    public void find(String topic) {
                        renewable.get();
                    }

                    @Override
                    public void reach() {
                        if (!brokerAnswers) {
                            throw new TimeoutException("nobody there");
                        }
                        renewable.renew();
                    }
                },
                topic -> {});
    }

    private MockProducer<byte[], byte[]> newProducer() {
        @Nullable Partitioner none = null;
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(false, none, new ByteArraySerializer(), new ByteArraySerializer());
        producers.add(producer);
        return producer;
    }
}
