package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.kafka.Transaction.Problem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What follows from the states of transactional producers, some of which a broker can't be made to cause. */
class LaneProducersTest {

    private final List<MockProducer<byte[], byte[]>> made = new ArrayList<>();
    private final LaneProducers producers = new LaneProducers(lanes -> newProducer());

    @AfterEach
    void close() {
        producers.close();
    }

    @Test
    void keepsTheProducersThatWereUsedLast() throws InterruptedException {
        for (int i = 0; i < 70; i++) {
            assertThat(publish("lanes" + i)).isNull();
        }
        assertThat(publish("lanes69")).isNull();
        assertThat(made).hasSize(70);
        await().untilAsserted(() ->
                assertThat(made.stream().filter(MockProducer::closed)).hasSize(6));
        assertThat(made.subList(0, 6)).allMatch(MockProducer::closed);

        producers.close();
        assertThat(made).allMatch(MockProducer::closed);
    }

    @Test
    void aCommitWhoseEndIsUnknownIsNoSuccessAndCostsTheProducer() throws InterruptedException {
        publish("0-15");
        made.get(0).commitTransactionException = new TimeoutException("no answer");
        made.get(0).abortTransactionException = new IllegalStateException("the commit must be retried");
        Problem problem = publish("0-15");

        assertThat(problem).isNotNull().extracting(Problem::entry).isNull();
        await().until(() -> made.get(0).closed());
        assertThat(publish("0-15")).isNull();
        assertThat(made).hasSize(2);
    }

    @Test
    void aCommitThatFailsIsAbortedAndTheProducerStays() throws InterruptedException {
        publish("0-15");
        made.get(0).commitTransactionException = new KafkaException("in an error state");
        assertThat(publish("0-15")).isNotNull();
        assertThat(made.get(0).transactionAborted()).isTrue();
        made.get(0).commitTransactionException = null;
        assertThat(publish("0-15")).isNull();
        assertThat(made).hasSize(1);
    }

    @Test
    void aFencedProducerIsReplaced() throws InterruptedException {
        publish("0-15");
        made.get(0).fenceProducer();
        assertThat(publish("0-15")).isNotNull();
        assertThat(publish("0-15")).isNull();
        assertThat(made).hasSize(2);
    }

    @Test
    void aProducerThatCannotBeginIsReplaced() throws InterruptedException {
        publish("0-15");
        made.get(0).beginTransactionException = new KafkaException("in an error state");
        made.get(0).abortTransactionException = new KafkaException("in an error state");
        assertThat(publish("0-15")).isNotNull();
        assertThat(publish("0-15")).isNull();
        assertThat(made).hasSize(2);
    }

    private @Nullable Problem publish(String lanes) throws InterruptedException {
        var record = new ProducerRecord<byte[], byte[]>("orders", "{}".getBytes(StandardCharsets.UTF_8));
        Gate gate = new Gate(Gate.State.OPEN, Duration.ofSeconds(30), () -> 0);
        var entry = new Transaction.Entry(
                Records.delivery("orders", "1"), record, new Pass(new Topic("orders", gate), 0, 0));
        return producers.inTransaction(lanes, new Transaction(List.of(entry), Duration.ofSeconds(10)));
    }

    private MockProducer<byte[], byte[]> newProducer() {
        @Nullable Partitioner none = null;
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(true, none, new ByteArraySerializer(), new ByteArraySerializer());
        made.add(producer);
        return producer;
    }
}
