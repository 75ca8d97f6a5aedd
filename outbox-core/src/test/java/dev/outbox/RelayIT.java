package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.testkit.CommittedEvent;
import dev.outbox.testkit.History;
import dev.outbox.testkit.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RelayIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final KafkaBroker kafka = KafkaBroker.shared();
    private TestOutbox outbox;

    @BeforeEach
    void open() {
        outbox = new TestOutbox();
    }

    @AfterEach
    void close() throws Exception {
        outbox.close();
    }

    @Test
    void publishesACommittedEventWithItsKeyHeadersAndBytes() {
        String topic = kafka.createTopic("orders", 3);
        byte[] payload = "{\"b\":1.10,\"a\":1E2, \"b\":-0.0}".getBytes(StandardCharsets.UTF_8);
        UUID id = outbox.append(TestOutbox.event(topic, "4711")
                .aggregateVersion(7)
                .schemaVersion(2)
                .payload(payload, "application/json")
                .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .build());
        outbox.startRelay(TestOutbox.settings(64, 100));

        ConsumerRecord<byte[], byte[]> record =
                kafka.awaitRecords(topic, 1, LIMIT).get(0);
        assertThat(TestOutbox.key(record)).isEqualTo("4711");
        assertThat(record.value()).isEqualTo(payload);
        assertThat(TestOutbox.header(record, "ce_id")).isEqualTo(id.toString());
        assertThat(TestOutbox.header(record, "ce_specversion")).isEqualTo("1.0");
        assertThat(TestOutbox.header(record, "ce_source")).isEqualTo("/test");
        assertThat(TestOutbox.header(record, "ce_type")).isEqualTo("order.confirmed");
        assertThat(TestOutbox.header(record, "ce_subject")).isEqualTo("4711");
        assertThat(TestOutbox.header(record, "ce_time")).isNotNull();
        assertThat(TestOutbox.header(record, "ce_dataschema")).isEqualTo("urn:event:order.confirmed:v2");
        assertThat(TestOutbox.header(record, "ce_aggregatetype")).isEqualTo("order");
        assertThat(TestOutbox.header(record, "ce_aggregateversion")).isEqualTo("7");
        assertThat(TestOutbox.header(record, "ce_schemaversion")).isEqualTo("2");
        assertThat(TestOutbox.header(record, "content-type")).isEqualTo("application/json");
        assertThat(TestOutbox.header(record, "traceparent"))
                .isEqualTo("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        await().until(() -> outbox.count("published_at IS NOT NULL") == 1);
    }

    @Test
    void usesTheTimeOfPublishingAsTheRecordsTimestamp() {
        String topic = kafka.createTopic("orders", 1);
        outbox.append(TestOutbox.event(topic, "1").build());
        outbox.jdbc
                .sql("UPDATE outbox_event SET created_at = now() - interval '1 day'")
                .update();
        long before = System.currentTimeMillis();
        outbox.startRelay(TestOutbox.settings(64, 100));

        ConsumerRecord<byte[], byte[]> record =
                kafka.awaitRecords(topic, 1, LIMIT).get(0);
        assertThat(record.timestamp()).isGreaterThanOrEqualTo(before);
    }

    @Test
    void publishesNothingOfARolledBackTransaction() {
        String topic = kafka.createTopic("orders", 1);
        outbox.startRelay(TestOutbox.settings(64, 100));
        outbox.transaction.executeWithoutResult(status -> {
            outbox.writer.append(TestOutbox.event(topic, "1").build());
            status.setRollbackOnly();
        });
        UUID committed = outbox.append(TestOutbox.event(topic, "1").build());

        kafka.awaitRecords(topic, 1, LIMIT);
        await().until(() -> outbox.count("published_at IS NULL") == 0);
        assertThat(kafka.records(topic)).extracting(TestOutbox::eventId).containsExactly(committed.toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void keepsTheOrderOfEveryAggregateWithSeveralRelays(int batch) {
        int aggregates = batch == 1 ? 50 : 500;
        int events = batch == 1 ? 1_000 : 10_000;
        String topic = kafka.createTopic("orders", 3);
        for (int relay = 0; relay < 3; relay++) {
            outbox.startRelay(TestOutbox.settings(8, batch));
        }
        List<CommittedEvent> committed = appendAtRandom(topic, aggregates, events);

        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NULL") == 0);
        History history = history(committed, topic);
        history.assertClean();
        assertThat(history.repeats()).isZero();
    }

    @Test
    void publishesAgainUnderTheSameIdWhenTheProcessDiesBetweenAcknowledgementAndMark() {
        String topic = kafka.createTopic("orders", 1);
        List<UUID> ids = List.of(
                outbox.append(TestOutbox.event(topic, "1").build()),
                outbox.append(TestOutbox.event(topic, "1").build()));
        AtomicBoolean dead = new AtomicBoolean(true);
        DeliveryStore dies = new FailingWrites(outbox.store(), () -> {
            if (dead.get()) {
                throw new IllegalStateException("died before the mark");
            }
        });
        outbox.startRelay(TestOutbox.settings(64, 1), dies, outbox.publisher(Map.of()), new OutboxListener() {
            @Override
            public void cycleFailed(Throwable failure) {
                dead.set(false);
            }
        });

        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NULL") == 0);
        List<String> published =
                kafka.records(topic).stream().map(TestOutbox::eventId).toList();
        assertThat(published).startsWith(ids.get(0).toString()).hasSizeGreaterThan(2);
        assertThat(published.stream().distinct())
                .containsExactly(ids.get(0).toString(), ids.get(1).toString());
    }

    @Test
    void marksNothingBeforeItsAcknowledgement() {
        String topic = kafka.createTopic("orders", 1);
        outbox.append(TestOutbox.event(topic, "1").build());
        HeldAcknowledgements held = new HeldAcknowledgements(outbox.publisher(Map.of()));
        outbox.startRelay(TestOutbox.settings(64, 100), outbox.store(), held);

        await().atMost(LIMIT).until(() -> held.count() == 1);
        assertThat(outbox.count("published_at IS NOT NULL")).isZero();
        held.release();
        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NOT NULL") == 1);
    }

    @Test
    void skipsNothingThatCommitsLate() throws Exception {
        String topic = kafka.createTopic("orders", 1);
        outbox.startRelay(TestOutbox.settings(64, 100));
        var late = outbox.transactions.getTransaction(null);
        UUID first = outbox.writer.append(TestOutbox.event(topic, "1").build());
        Thread other =
                new Thread(() -> outbox.append(TestOutbox.event(topic, "2").build()));
        other.start();
        other.join();
        kafka.awaitRecords(topic, 1, LIMIT);
        outbox.transactions.commit(late);

        assertThat(kafka.awaitRecords(topic, 2, LIMIT))
                .extracting(TestOutbox::eventId)
                .last()
                .isEqualTo(first.toString());
    }

    private List<CommittedEvent> appendAtRandom(String topic, int aggregates, int events) {
        Random random = new Random(42);
        Map<String, Integer> orders = new HashMap<>();
        List<CommittedEvent> committed = new ArrayList<>();
        while (committed.size() < events) {
            int size = 1 + random.nextInt(20);
            boolean rollback = random.nextInt(10) == 0;
            outbox.transaction.executeWithoutResult(status -> {
                for (int i = 0; i < size; i++) {
                    String aggregate = "a" + random.nextInt(aggregates);
                    UUID id = outbox.writer.append(
                            TestOutbox.event(topic, aggregate).build());
                    if (!rollback) {
                        int order = orders.merge(aggregate, 1, Integer::sum);
                        committed.add(new CommittedEvent(id.toString(), aggregate, order));
                    }
                }
                if (rollback) {
                    status.setRollbackOnly();
                }
            });
        }
        return committed;
    }

    private History history(List<CommittedEvent> committed, String topic) {
        return History.of(committed, kafka.records(topic), TestOutbox::eventId, TestOutbox::key);
    }
}
