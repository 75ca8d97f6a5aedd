package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.jdbc.ClaimMode;
import dev.outbox.jdbc.StoreSettings;
import dev.outbox.kafka.KafkaEventPublisher;
import dev.outbox.kafka.KafkaTransactionalPublisher;
import dev.outbox.relay.Relay;
import dev.outbox.relay.RelaySettings;
import dev.outbox.testkit.CommittedEvent;
import dev.outbox.testkit.History;
import dev.outbox.testkit.KafkaBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ways to publish other than one record of an aggregate after the other. */
class OrderingIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int TOO_LARGE = 2 * 1024 * 1024;

    private final KafkaBroker kafka = KafkaBroker.shared();
    private final TestOutbox outbox = new TestOutbox();

    @AfterEach
    void close() throws Exception {
        outbox.close();
    }

    @ParameterizedTest
    @EnumSource(ClaimMode.class)
    void threeRelaysThatPublishInTransactionsKeepTheOrderOfHotAggregates(ClaimMode mode) {
        String topic = kafka.createTopic("orders", 3);
        List<CommittedEvent> committed = append(topic, 3_000, 5);
        for (int relay = 0; relay < 3; relay++) {
            startTransactional(mode);
        }

        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NULL") == 0);
        await().atMost(LIMIT).untilAsserted(() -> history(committed, topic).assertClean());
    }

    @Test
    void aBatchWithARecordThatCanNeverBePublishedGoesOutWithoutItAndWhatStandsBehindIt() {
        String topic = kafka.createTopic("orders", 1);
        List<CommittedEvent> before = append(topic, 20, 4);
        outbox.insertUnchecked(topic, "a1", new byte[TOO_LARGE]);
        append(topic, 1, 1);
        UUID behind = outbox.append(TestOutbox.event(topic, "a1").build());
        startTransactional(ClaimMode.LOCK);

        await().atMost(LIMIT).until(() -> outbox.count("parked_at IS NOT NULL") == 1);
        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NOT NULL") == 21);
        await().atMost(LIMIT).until(() -> outbox.count("waiting") == 2);
        // Readers see the end of a transaction a moment after the relay.
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(kafka.records(topic, IsolationLevel.READ_COMMITTED))
                        .extracting(TestOutbox::eventId)
                        .containsAll(
                                before.stream().map(CommittedEvent::eventId).toList())
                        .doesNotContain(behind.toString()));
    }

    @Test
    void pipelinedRecordsOfAnAggregateArriveInOrderWhileNothingFails() {
        String topic = kafka.createTopic("orders", 1);
        List<CommittedEvent> committed = append(topic, 5_000, 3);
        outbox.startRelay(TestOutbox.settings(64, 500, Ordering.PIPELINED), store(Ordering.PIPELINED), publisher());

        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NULL") == 0);
        history(committed, topic).assertClean();
    }

    @Test
    void withoutOrderAParkedRecordHoldsUpNothing() {
        String topic = kafka.createTopic("orders", 1);
        outbox.insertUnchecked(topic, "a0", new byte[TOO_LARGE]);
        outbox.insertUnchecked(topic, "a0", new byte[TOO_LARGE]);
        append(topic, 50, 1);
        outbox.startRelay(TestOutbox.settings(64, 10, Ordering.NONE), store(Ordering.NONE), publisher());

        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NOT NULL") == 50);
        assertThat(outbox.count("parked_at IS NOT NULL")).isEqualTo(2);
    }

    @Test
    void anAggregateGoesOnBehindAParkedRecordWhereThatIsWantedAndTheAuditSaysSo() {
        String topic = kafka.createTopic("orders", 1);
        append(topic, 1, 1);
        outbox.insertUnchecked(topic, "a0", new byte[TOO_LARGE]);
        append(topic, 20, 1);
        RelaySettings settings = TestOutbox.settings(64, 5);
        RelaySettings goesOn = new RelaySettings(
                settings.claims(),
                settings.flow(),
                settings.polling(),
                settings.retry(),
                new RelaySettings.Parking(Set.of(topic), Set.of()),
                settings.shutdownTimeout());
        outbox.startRelay(goesOn);

        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NOT NULL") == 21);
        assertThat(outbox.count("parked_at IS NOT NULL AND NOT waiting AND seq = 2"))
                .isEqualTo(1);
        assertThat(outbox.jdbc
                        .sql("SELECT actor || ' ' || action || ' ' || seqs[1] FROM outbox_audit")
                        .query(String.class)
                        .list())
                .containsExactly("relay pass over 2");
        assertThat(outbox.store().backlog())
                .extracting(Backlog::waiting, Backlog::blocked, Backlog::parked)
                .containsExactly(0L, 0L, 1L);
    }

    @Test
    void whatIsPublishedIsDeletedAtOnceWhereNothingIsKept() {
        String topic = kafka.createTopic("orders", 1);
        List<CommittedEvent> committed = append(topic, 1_000, 50);
        outbox.insertUnchecked(topic, "parked", new byte[TOO_LARGE]);
        StoreSettings settings =
                new StoreSettings(ClaimMode.LOCK, Duration.ofSeconds(35), Duration.ofMinutes(1), Ordering.STRICT, true);
        outbox.startRelay(TestOutbox.settings(64, 100), outbox.store(settings), publisher());

        await().atMost(LIMIT).until(() -> outbox.count("true") == 1 && outbox.count("parked_at IS NOT NULL") == 1);
        assertThat(outbox.jdbc
                        .sql("SELECT count(*) FROM outbox_event")
                        .query(Long.class)
                        .single())
                .isEqualTo(1);
        history(committed, topic).assertClean();
    }

    @Test
    void aFewRecordsOfFiveMegabytesPassBetweenThousandsOfSmallOnes() {
        String topic = kafka.createTopic("orders", 1, Map.of("max.message.bytes", "6000000"));
        for (int i = 0; i < 5; i++) {
            append(topic, 2_000, 100);
            outbox.insertUnchecked(topic, "large" + i, new byte[5_000_000]);
        }
        List<Integer> bytes = new ArrayList<>();
        KafkaEventPublisher publisher = outbox.publisher(Map.of("max.request.size", 6_000_000));
        outbox.startRelay(TestOutbox.settings(64, 1_000), outbox.store(), new FailingPublisher(publisher, delivery -> {
            synchronized (bytes) {
                bytes.add(delivery.event().payload().size());
            }
            return null;
        }));

        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NULL") == 0);
        assertThat(bytes).hasSize(10_005);
    }

    private void startTransactional(ClaimMode mode) {
        KafkaEventPublisher publisher = publisher();
        KafkaTransactionalPublisher transactions = outbox.closeLater(new KafkaTransactionalPublisher(
                publisher, "orders-" + outbox.database.jdbcUrl().hashCode()));
        Relay relay = new Relay(
                outbox.store(mode, Duration.ofMinutes(3)),
                publisher,
                transactions,
                TestOutbox.settings(16, 200),
                new OutboxListener() {},
                Relay::daemon);
        outbox.start(relay);
    }

    private KafkaEventPublisher publisher() {
        return outbox.publisher(Map.of());
    }

    private DeliveryStore store(Ordering ordering) {
        return outbox.store(
                new StoreSettings(ClaimMode.LOCK, Duration.ofSeconds(35), Duration.ofMinutes(1), ordering, false));
    }

    /** Appends events of so many aggregates in turn, in a few transactions. */
    private List<CommittedEvent> append(String topic, int events, int aggregates) {
        Map<String, Integer> orders = new HashMap<>();
        List<CommittedEvent> committed = new ArrayList<>();
        List<Event> all = IntStream.range(0, events)
                .mapToObj(i -> TestOutbox.event(topic, "a" + i % aggregates).build())
                .toList();
        List<UUID> ids = Objects.requireNonNull(outbox.transaction.execute(status -> outbox.writer.appendAll(all)));
        for (int i = 0; i < events; i++) {
            String aggregate = "a" + i % aggregates;
            committed.add(
                    new CommittedEvent(ids.get(i).toString(), aggregate, orders.merge(aggregate, 1, Integer::sum)));
        }
        return committed;
    }

    private History history(List<CommittedEvent> committed, String topic) {
        return History.of(
                committed, kafka.records(topic, IsolationLevel.READ_COMMITTED), TestOutbox::eventId, TestOutbox::key);
    }
}
