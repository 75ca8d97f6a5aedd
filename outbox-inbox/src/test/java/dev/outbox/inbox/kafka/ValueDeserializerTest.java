package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.ConnectException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Test;

class ValueDeserializerTest {

    private static final ClassifierChain CLASSIFIER = new ClassifierChain(
            List.of(FailureClassifier.byType(List.of(IllegalMonitorStateException.class), List.of())));

    private final ConsumerRecord<byte[], byte[]> record = TestRecords.record(Map.of("type", "x"));

    @Test
    void itGetsTopicAndHeadersAndCannotChangeTheRecord() {
        ValueDeserializer deserializer = with((topic, headers, bytes) -> {
            headers.remove("type");
            return topic + bytes.length;
        });

        assertThat(deserializer.deserialize(record, new byte[3], String.class)).isEqualTo("orders.v13");
        assertThat(record.headers().lastHeader("type")).isNotNull();
    }

    @Test
    void whatItCannotReadIsPermanentAndNotQuoted() {
        ValueDeserializer failing = with((topic, headers, bytes) -> {
            throw new SerializationException("x", new IllegalStateException("secret"));
        });

        assertThatExceptionOfType(UnusableRecordException.class)
                .isThrownBy(() -> failing.deserialize(record, new byte[3], String.class))
                .withMessageContaining("(3 bytes)")
                .withMessageContaining("cannot read the payload (3 bytes): java.lang.IllegalStateException")
                .withMessageNotContaining("secret")
                .withNoCause();
        assertThatExceptionOfType(UnusableRecordException.class)
                .isThrownBy(() -> with((topic, headers, bytes) -> 1L).deserialize(record, new byte[3], String.class))
                .withMessageContaining(
                        "made a java.lang.Long of the payload (3 bytes), but the handler takes a java.lang.String");
    }

    @Test
    void aRegistryThatCannotBeReachedIsNoFaultOfTheRecord() {
        for (RuntimeException outage : List.of(
                new SerializationException("x", new ConnectException("secret")), new IllegalMonitorStateException())) {
            assertThatExceptionOfType(DeserializerUnavailableException.class)
                    .isThrownBy(() -> with((topic, headers, bytes) -> {
                                throw outage;
                            })
                            .deserialize(record, new byte[3], String.class))
                    .withMessageNotContaining("secret")
                    .satisfies(e -> assertThat(CLASSIFIER.classify(e)).isEqualTo(FailureKind.TRANSIENT));
        }
    }

    @Test
    void oneThatIsMadeHereIsConfiguredUsedByOneThreadAtATimeAndClosed() throws Exception {
        AtomicInteger open = new AtomicInteger();
        CyclicBarrier together = new CyclicBarrier(2);
        ValueDeserializer deserializer = ValueDeserializer.ofClass(
                Exclusive.class.getName(), Map.of("open", open, "together", together), CLASSIFIER);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            assertThat(open).hasValue(1);
            Future<?> one = threads.submit(() -> deserializer.deserialize(record, new byte[1], Object.class));
            Future<?> two = threads.submit(() -> deserializer.deserialize(record, new byte[1], Object.class));
            assertThat(one.get(10, TimeUnit.SECONDS)).isNotSameAs(two.get(10, TimeUnit.SECONDS));
            assertThat(open).hasValue(2);
        } finally {
            threads.shutdownNow();
        }
        deserializer.close();
        assertThat(open).hasValue(0);
    }

    private static ValueDeserializer with(Function function) {
        return ValueDeserializer.shared(
                new Deserializer<Object>() {
                    @Override
                    public Object deserialize(String topic, byte[] bytes) {
                        throw new AssertionError("without headers");
                    }

                    @Override
                    public Object deserialize(String topic, Headers headers, byte[] bytes) {
                        return function.apply(topic, headers, bytes);
                    }
                },
                CLASSIFIER);
    }

    interface Function {
        Object apply(String topic, Headers headers, byte[] bytes);
    }

    /** Returns itself when two of its kind are at work. */
    static class Exclusive implements Deserializer<Object> {

        private AtomicInteger open = new AtomicInteger();
        private CyclicBarrier together = new CyclicBarrier(1);

        @Override
        public void configure(Map<String, ?> config, boolean isKey) {
            open = (AtomicInteger) Objects.requireNonNull(config.get("open"));
            together = (CyclicBarrier) Objects.requireNonNull(config.get("together"));
            open.incrementAndGet();
        }

        @Override
        public Object deserialize(String topic, byte[] bytes) {
            try {
                together.await(10, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return this;
        }

        @Override
        public void close() {
            open.decrementAndGet();
        }
    }
}
