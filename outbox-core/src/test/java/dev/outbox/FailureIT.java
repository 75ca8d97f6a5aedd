package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionRequiredException;
import dev.outbox.testkit.CommittedEvent;
import dev.outbox.testkit.History;
import dev.outbox.testkit.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FailureIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final byte[] SMALL = "{}".getBytes(StandardCharsets.UTF_8);

    private final KafkaBroker kafka = KafkaBroker.shared();
    private TestOutbox outbox = new TestOutbox();

    @AfterEach
    void close() throws Exception {
        outbox.close();
    }

    @Test
    void aBadRecordStopsNoOtherOne() throws Exception {
        String good = kafka.createTopic("ok", 3);
        String missing = "missing-" + UUID.randomUUID();
        for (int i = 0; i < 20; i++) {
            outbox.insertUnchecked(good, "ok" + i, SMALL);
        }
        for (int i = 0; i < 5; i++) {
            outbox.insertUnchecked(missing, "missing" + i, SMALL);
        }
        outbox.insertUnchecked("bad/topic", "bad1", SMALL);
        outbox.insertUnchecked("", "bad2", SMALL);
        outbox.insertUnchecked(good, "bad3", new byte[2 * 1024 * 1024]);
        outbox.startRelay(TestOutbox.settings(64, 1_000));

        await().atMost(Duration.ofSeconds(4))
                .until(() -> outbox.count("topic = '" + good + "' AND published_at IS NOT NULL") == 20);
        await().atMost(LIMIT).until(() -> outbox.count("parked_at IS NOT NULL AND attempts = 1") == 3);
        assertThat(outbox.count("topic = '" + missing + "' AND published_at IS NULL AND parked_at IS NULL"))
                .isEqualTo(5);

        try (AdminClient admin = AdminClient.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(missing, 1, (short) 1)))
                    .all()
                    .get();
        }
        await().atMost(LIMIT).until(() -> outbox.count("topic = '" + missing + "' AND published_at IS NOT NULL") == 5);
        assertThat(kafka.records(good)).hasSize(20);
        assertThat(outbox.count("parked_at IS NOT NULL")).isEqualTo(3);
    }

    @Test
    void eventsOfAnotherTopicArePublishedWhileTheOnlyKnownOneIsMissing() {
        outbox.insertUnchecked("missing-" + UUID.randomUUID(), "1", SMALL);
        outbox.startRelay(TestOutbox.settings(64, 100));
        await().atMost(LIMIT).until(() -> outbox.count("waiting") == 1);

        String topic = kafka.createTopic("orders", 1);
        outbox.append(TestOutbox.event(topic, "2").build());
        assertThat(kafka.awaitRecords(topic, 1, LIMIT)).hasSize(1);
    }

    @Test
    void whatAListenerDoesWithTheDatabaseIsItsOwnAndAnAppendThereIsRefused() {
        String topic = kafka.createTopic("orders", 1);
        outbox.jdbc.sql("CREATE TABLE seen (id uuid)").update();
        outbox.append(TestOutbox.event(topic, "1").build());
        List<Exception> refused = new CopyOnWriteArrayList<>();
        outbox.startRelay(
                TestOutbox.settings(64, 100), outbox.store(), outbox.publisher(Map.of()), new OutboxListener() {
                    @Override
                    public void published(Delivery delivery) {
                        outbox.jdbc
                                .sql("INSERT INTO seen VALUES (?)")
                                .param(delivery.event().eventId())
                                .update();
                        try {
                            outbox.writer.append(TestOutbox.event(topic, "2").build());
                        } catch (TransactionRequiredException e) {
                            refused.add(e);
                        }
                    }
                });

        await().atMost(LIMIT).until(() -> refused.size() == 1);
        await().atMost(LIMIT)
                .until(() -> outbox.jdbc
                                .sql("SELECT count(*) FROM seen")
                                .query(Integer.class)
                                .single()
                        == 1);
        assertThat(outbox.count("true")).isEqualTo(1);
    }

    @Test
    void laterEventsOfAnAggregateWaitBehindAParkedOneAndOthersFlow() {
        String topic = kafka.createTopic("orders", 1);
        outbox.insertUnchecked(topic, "blocked", new byte[2 * 1024 * 1024]);
        for (int i = 0; i < 50; i++) {
            outbox.append(TestOutbox.event(topic, "blocked").build());
            outbox.append(TestOutbox.event(topic, "other" + i).build());
        }
        var relay = outbox.startRelay(TestOutbox.settings(64, 10));
        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NOT NULL") == 50);
        relay.stop();
        outbox.startRelay(TestOutbox.settings(64, 10));
        UUID another = outbox.append(TestOutbox.event(topic, "another").build());
        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NOT NULL") == 51);

        assertThat(kafka.records(topic)).extracting(TestOutbox::key).doesNotContain("blocked");
        assertThat(kafka.records(topic)).extracting(TestOutbox::eventId).contains(another.toString());
        await().until(() -> outbox.count("waiting AND aggregate_id = 'blocked'") == 51);
        assertThat(outbox.store().backlog().parked()).isEqualTo(1);
        assertThat(outbox.store().backlog().oldestAge()).isZero();
    }

    @Test
    void aRecordThatFailsForAWhileIsNeverOvertaken() {
        String topic = kafka.createTopic("orders", 3);
        List<CommittedEvent> committed = new ArrayList<>();
        for (int version = 1; version <= 20; version++) {
            for (int aggregate = 0; aggregate < 10; aggregate++) {
                UUID id = outbox.append(TestOutbox.event(topic, "a" + aggregate).build());
                committed.add(new CommittedEvent(id.toString(), "a" + aggregate, version));
            }
        }
        var failures = failures(4);
        outbox.startRelay(TestOutbox.settings(16, 7), outbox.store(), failing(failures));
        outbox.startRelay(TestOutbox.settings(16, 100), outbox.store(), failing(failures));

        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NULL") == 0);
        History.of(committed, kafka.records(topic), TestOutbox::eventId, TestOutbox::key)
                .assertClean();
    }

    @Test
    void aRecordIsParkedWhenItsAttemptsAreSpent() {
        String topic = kafka.createTopic("orders", 1);
        outbox.append(TestOutbox.event(topic, "1").build());
        outbox.startRelay(TestOutbox.settings(64, 10), outbox.store(), failing(failures(Integer.MAX_VALUE)));

        await().atMost(LIMIT).until(() -> outbox.count("parked_at IS NOT NULL") == 1);
        assertThat(outbox.count("attempts = 5 AND published_at IS NULL AND last_error LIKE '%no luck%'"))
                .isEqualTo(1);
    }

    @Test
    void anErrorTextThatTheDatabaseWouldRefuseIsCleanedAndTrimmed() {
        String topic = kafka.createTopic("orders", 1);
        outbox.append(TestOutbox.event(topic, "1").build());
        String text = "bad \0 \ud800 " + "x".repeat(50_000);
        outbox.startRelay(
                TestOutbox.settings(64, 10),
                outbox.store(),
                new FailingPublisher(
                        outbox.publisher(Map.of()),
                        delivery ->
                                new PublishFailure(PublishFailure.Kind.PERMANENT, new IllegalStateException(text))));

        await().atMost(LIMIT).until(() -> outbox.count("parked_at IS NOT NULL") == 1);
        assertThat(outbox.count("length(last_error) = 1000")).isEqualTo(1);
    }

    @Test
    void marksAreDurableInAPoolWithoutAutoCommit() throws Exception {
        outbox.close();
        outbox = new TestOutbox(TestOutbox.DEFAULT_NAMES, (HikariConfig config) -> config.setAutoCommit(false));
        String topic = kafka.createTopic("orders", 1);
        outbox.append(TestOutbox.event(topic, "1").build());
        outbox.insertUncheckedInTransaction(topic, "2", new byte[2 * 1024 * 1024]);
        outbox.startRelay(TestOutbox.settings(64, 10));

        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NOT NULL OR parked_at IS NOT NULL") == 2);
        assertThat(kafka.records(topic)).hasSize(1);
    }

    @Test
    void worksInASchemaAndUnderAPrefixOfItsOwnWhateverStandsInPublic() throws Exception {
        outbox.close();
        outbox = new TestOutbox(new TableNames("Ordering", "My_"), config -> {});
        outbox.jdbc.sql("CREATE TABLE public.outbox_event (nonsense int)").update();
        outbox.jdbc.sql("CREATE TABLE public.\"My_delivery\" (nonsense int)").update();
        String topic = kafka.createTopic("orders", 1);
        UUID id = outbox.append(TestOutbox.event(topic, "1").build());
        outbox.startRelay(TestOutbox.settings(64, 10));

        assertThat(kafka.awaitRecords(topic, 1, LIMIT))
                .extracting(TestOutbox::eventId)
                .containsExactly(id.toString());
        await().atMost(LIMIT).until(() -> outbox.store().backlog().equals(Backlog.EMPTY));
    }

    /** Fails every fifth record so many times before it succeeds, whoever publishes it. */
    private static Function<Delivery, @Nullable PublishFailure> failures(int times) {
        Map<Long, Integer> failures = new ConcurrentHashMap<>();
        return delivery -> delivery.seq() % 5 == 1 && failures.merge(delivery.seq(), 1, Integer::sum) <= times
                ? new PublishFailure(PublishFailure.Kind.TRANSIENT, new IllegalStateException("no luck"))
                : null;
    }

    private EventPublisher failing(Function<Delivery, @Nullable PublishFailure> failures) {
        return new FailingPublisher(outbox.publisher(Map.of()), failures);
    }
}
