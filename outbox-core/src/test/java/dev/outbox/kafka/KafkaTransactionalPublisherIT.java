package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Delivery;
import dev.outbox.PublishFailure.Kind;
import dev.outbox.TransactionalPublisher.Failed;
import dev.outbox.testkit.KafkaBroker;
import dev.outbox.testkit.KafkaProcess;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaTransactionalPublisherIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String LANES = "0-15";

    private final KafkaBroker kafka = KafkaBroker.shared();
    private final String prefix = "outbox-" + UUID.randomUUID();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @AfterEach
    void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @Test
    void aBatchOfOneAggregateIsSeenWholeAndInOrder() throws InterruptedException {
        String topic = kafka.createTopic("orders", 3);
        var publisher = transactional(kafka, Map.of());
        List<Delivery> first = Records.batch(topic, 500);
        List<Delivery> second = Records.batch(topic, 500);

        assertThat(publisher.publish(LANES, first)).isEmpty();
        assertThat(publisher.publish(LANES, second)).isEmpty();
        List<String> expected = new ArrayList<>(Records.ids(first));
        expected.addAll(Records.ids(second));
        assertCommitted(kafka, topic, expected);
    }

    @Test
    void aRecordThatTheBrokerRefusesIsNamedAndNothingOfItsBatchIsSeen() throws InterruptedException {
        String topic = kafka.createTopic("orders", 1, Map.of("max.message.bytes", "10000"));
        var publisher = transactional(kafka, Map.of("compression.type", "none", "batch.size", 1_000));
        List<Delivery> batch = Records.batch(topic, 50);
        Delivery bad = Records.delivery(topic, "1", new byte[20_000]);
        batch.add(25, bad);

        List<Failed> failed = publisher.publish(LANES, batch);
        assertThat(failed).extracting(Failed::delivery).containsExactly(bad);
        assertThat(failed).extracting(one -> one.failure().kind()).containsExactly(Kind.PERMANENT);
        assertThat(committed(topic)).isEmpty();

        batch.remove(bad);
        assertThat(publisher.publish(LANES, batch)).isEmpty();
        assertCommitted(kafka, topic, Records.ids(batch));
    }

    @Test
    void aRecordThatTheClientRefusesIsNamedAndNothingOfItsBatchIsSeen() throws InterruptedException {
        String topic = kafka.createTopic("orders", 1);
        var publisher = transactional(kafka, Map.of("linger.ms", 50));
        List<Delivery> batch = Records.batch(topic, 50);
        Delivery bad = Records.delivery(topic, "1", new byte[2 * 1024 * 1024]);
        batch.add(25, bad);

        assertThat(publisher.publish(LANES, batch)).extracting(Failed::delivery).containsExactly(bad);
        assertThat(committed(topic)).isEmpty();
        batch.remove(bad);
        assertThat(publisher.publish(LANES, batch)).isEmpty();
        assertCommitted(kafka, topic, Records.ids(batch));
    }

    @Test
    void whatCannotBeSentNowIsReportedBeforeAnythingIsSent() throws InterruptedException {
        String topic = kafka.createTopic("orders", 1);
        var publisher = transactional(kafka, Map.of());
        List<Delivery> batch = Records.batch(topic, 5);
        Delivery missing = Records.delivery("missing-" + UUID.randomUUID(), "2");
        Delivery alsoMissing = Records.delivery("missing-" + UUID.randomUUID(), "3");
        Delivery illegal = Records.delivery("bad/topic", "4");
        batch.addAll(1, List.of(missing, alsoMissing, illegal));

        long start = System.nanoTime();
        List<Failed> failed = publisher.publish(LANES, batch);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
        assertThat(failed).extracting(Failed::delivery).containsExactly(missing, alsoMissing, illegal);
        assertThat(failed)
                .extracting(one -> one.failure().kind())
                .containsExactly(Kind.UNAVAILABLE, Kind.UNAVAILABLE, Kind.PERMANENT);
        assertThat(kafka.records(topic)).isEmpty();

        batch.removeAll(failed.stream().map(Failed::delivery).toList());
        assertThat(publisher.publish(LANES, batch)).isEmpty();
        assertCommitted(kafka, topic, Records.ids(batch));
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "commitTransaction"})
    void whoeverPublishedForTheSameLanesBeforeIsFencedAndHoldsNobodyUp(String frozenAt) throws Exception {
        String topic = kafka.createTopic("orders", 1);
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        var zombie = transactional(
                kafka,
                Map.of(),
                settings -> before(settings, frozenAt, () -> {
                    sent.countDown();
                    goOn.await();
                }));
        List<Delivery> lost = Records.batch(topic, 10);
        CompletableFuture<List<Failed>> end = CompletableFuture.supplyAsync(() -> publish(zombie, lost));
        sent.await();
        assertThat(kafka.records(topic)).hasSize(frozenAt.equals("send") ? 0 : 10);

        List<Delivery> batch = Records.batch(topic, 10);
        assertThat(transactional(kafka, Map.of()).publish(LANES, batch)).isEmpty();
        assertCommitted(kafka, topic, Records.ids(batch));
        goOn.countDown();

        List<Failed> failed = end.get();
        assertThat(failed).extracting(Failed::delivery).containsExactly(lost.get(0));
        assertThat(failed).extracting(one -> one.failure().kind()).containsExactly(Kind.UNAVAILABLE);
        assertCommitted(kafka, topic, Records.ids(batch));
        // Fencing is no outage of the topic, so the next batch goes out at once.
        assertThat(zombie.publish(LANES, lost)).isEmpty();
        List<String> both = new ArrayList<>(Records.ids(batch));
        both.addAll(Records.ids(lost));
        assertCommitted(kafka, topic, both);
    }

    @Test
    void anInterruptedBatchIsAbortedAndHoldsNobodyUp() throws Exception {
        String topic = kafka.createTopic("orders", 1);
        CountDownLatch sent = new CountDownLatch(1);
        AtomicInteger commits = new AtomicInteger();
        var publisher = transactional(
                kafka,
                Map.of(),
                settings -> before(settings, "commitTransaction", () -> {
                    if (commits.getAndIncrement() == 0) {
                        sent.countDown();
                        new CountDownLatch(1).await();
                    }
                }));
        List<Delivery> batch = Records.batch(topic, 10);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                publisher.publish(LANES, batch);
                interrupted.complete(false);
            } catch (InterruptedException e) {
                interrupted.complete(true);
            }
        });
        thread.start();
        sent.await();
        thread.interrupt();

        assertThat(interrupted.get()).isTrue();
        assertThat(committed(topic)).isEmpty();
        assertThat(publisher.publish(LANES, batch)).isEmpty();
        assertCommitted(kafka, topic, Records.ids(batch));
    }

    @Test
    void aBatchDuringAnOutageEndsInTimeAndCanBePublishedAfterIt() throws InterruptedException {
        try (KafkaProcess own = KafkaProcess.start()) {
            String topic = own.createTopic("orders", 1);
            var publisher = transactional(
                    own, Map.of("delivery.timeout.ms", 2_000, "request.timeout.ms", 1_000, "max.block.ms", 1_000));
            List<Delivery> before = Records.batch(topic, 10);
            assertThat(publisher.publish(LANES, before)).isEmpty();

            own.kill();
            List<Delivery> batch = Records.batch(topic, 10);
            long start = System.nanoTime();
            List<Failed> failed = publisher.publish(LANES, batch);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(Duration.ofMillis(publisher.publishTimeout()));
            assertThat(failed).isNotEmpty().allMatch(one -> one.failure().kind() == Kind.UNAVAILABLE);

            own.restart();
            Set<Delivery> left = new LinkedHashSet<>(batch);
            await().atMost(LIMIT).until(() -> {
                List<Failed> still = publish(publisher, List.copyOf(left).subList(0, 1));
                assertThat(still).allMatch(one -> one.failure().kind() == Kind.UNAVAILABLE);
                return still.isEmpty();
            });
            assertThat(publisher.publish(LANES, batch.subList(1, 10))).isEmpty();
            List<String> expected = new ArrayList<>(Records.ids(before));
            expected.addAll(Records.ids(batch));
            assertCommitted(own, topic, expected);
        }
    }

    private static List<Failed> publish(KafkaTransactionalPublisher publisher, List<Delivery> batch) {
        try {
            return publisher.publish(LANES, batch);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Consumers see a commit a moment after it returned. */
    private static void assertCommitted(KafkaBroker broker, String topic, List<String> ids) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(ids(broker, topic)).isEqualTo(ids));
    }

    private List<String> committed(String topic) {
        return ids(kafka, topic);
    }

    private static List<String> ids(KafkaBroker broker, String topic) {
        return broker.records(topic, IsolationLevel.READ_COMMITTED).stream()
                .map(record -> new String(record.headers().lastHeader("ce_id").value(), StandardCharsets.UTF_8))
                .toList();
    }

    private KafkaTransactionalPublisher transactional(KafkaBroker broker, Map<String, Object> overrides) {
        return transactional(broker, overrides, KafkaProducer::new);
    }

    private KafkaTransactionalPublisher transactional(
            KafkaBroker broker,
            Map<String, Object> overrides,
            Function<Map<String, Object>, Producer<byte[], byte[]>> factory) {
        Map<String, Object> settings = new HashMap<>(overrides);
        settings.put("bootstrap.servers", broker.bootstrapServers());
        var plain = new KafkaEventPublisher(
                ProducerSettings.enforce(settings),
                new Envelope(EnvelopeMode.BINARY, URI.create("/test"), ""),
                KafkaEventPublisher.defaultClassifier(),
                topic -> {});
        open.push(plain);
        var publisher = new KafkaTransactionalPublisher(plain, prefix, factory);
        open.push(publisher);
        return publisher;
    }

    /** A producer that does something else before one of its methods. */
    @SuppressWarnings("unchecked")
    private static Producer<byte[], byte[]> before(Map<String, Object> settings, String name, Interruptible action) {
        Producer<byte[], byte[]> producer = new KafkaProducer<>(settings);
        return (Producer<byte[], byte[]>) Proxy.newProxyInstance(
                KafkaTransactionalPublisherIT.class.getClassLoader(),
                new Class<?>[] {Producer.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals(name)) {
                        runAsKafka(action);
                    }
                    try {
                        return method.invoke(producer, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static void runAsKafka(Interruptible action) {
        try {
            action.run();
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private interface Interruptible {

        void run() throws InterruptedException;
    }
}
