package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.inbox.DeadLetterSettings;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.RetrySettings;
import dev.outbox.testkit.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BatchModeIT {

    private static final RetrySettings ONE_ATTEMPT =
            new RetrySettings(1, Duration.ofMillis(20), Duration.ofMillis(100));

    private final InboxDatabase database =
            InboxDatabase.in(PostgresServer.shared().createDatabase());
    private final TestTopic topic = TestTopic.create(1);
    private final InboxApplication application = InboxApplication.on(database).property("topic", topic.name());

    @AfterEach
    void close() {
        application.close();
        topic.close();
        database.close();
    }

    @Test
    void aPollIsOneTransactionInWhichRepeatsCountOnce() {
        List<UUID> events = sendSome(20);
        events.subList(0, 5).forEach(topic::send);
        application.handle((record, effects) -> {}, Modes.Batch.class, Modes.Lists.class);

        topic.awaitCommitted(Modes.BATCH, 25);
        topic.awaitCommitted(Modes.LISTS, 25);
        assertThat(database.effects()).isEqualTo(40);
        assertThat(transactions(Modes.BATCH)).isEqualTo(1);
        assertThat(transactions(Modes.LISTS)).isEqualTo(1);
        assertThat(application.bean(Modes.Lists.class).calls()).isEqualTo(1);
        assertThat(application.observed().count("duplicate batch")).isEqualTo(5);

        events.forEach(topic::send);
        topic.awaitCommitted(Modes.BATCH, 45);
        topic.awaitCommitted(Modes.LISTS, 45);
        assertThat(database.effects()).isEqualTo(40);
        assertThat(application.bean(Modes.Lists.class).calls()).isEqualTo(1);
        assertThat(application.observed().count("processed batch")).isEqualTo(20);
        assertThat(application.observed().count("duplicate batch")).isEqualTo(25);
    }

    @Test
    void onlyTheBadRecordsOfABatchAreDeadLettered() {
        List<UUID> good = sendSome(5);
        UUID bad = topic.send();
        good.addAll(sendSome(5));
        topic.send(topic.record(0, bytes(TestTopic.JSON), null));
        topic.send(topic.record(0, bytes("{\"secret"), UUID.randomUUID().toString()));
        topic.send(topic.record(0, null, UUID.randomUUID().toString()));
        good.addAll(sendSome(5));
        application.handle(
                (record, effects) -> {
                    if (is(record, bad)) {
                        throw new IllegalStateException("no stock");
                    }
                },
                Modes.Batch.class,
                Modes.Lists.class);

        topic.awaitCommitted(Modes.BATCH, 19);
        topic.awaitCommitted(Modes.LISTS, 19);
        assertThat(database.deadLetters()).isEqualTo(8);
        assertThat(database.effects()).isEqualTo(30);
        assertThat(good).allMatch(event -> database.effects(event) == 2);
        assertThat(application.observed().count("failed batch")).isEqualTo(InboxApplication.QUICK.attempts() + 3);
        assertThat(application.observed().count("deadLettered lists")).isEqualTo(4);
    }

    @Test
    void aCommitThatFailsIsTheFailureOfTheEventThatBreaksIt() {
        database.execute("CREATE TABLE parent (id int PRIMARY KEY)");
        database.execute("CREATE TABLE child (parent int REFERENCES parent DEFERRABLE INITIALLY DEFERRED)");
        List<UUID> good = sendSome(3);
        UUID bad = topic.send();
        good.addAll(sendSome(3));
        application
                .settings(InboxApplication.settings(ONE_ATTEMPT, DeadLetterSettings.defaults()))
                .handle(
                        (record, effects) -> {
                            if (is(record, bad)) {
                                effects.jdbc()
                                        .sql("INSERT INTO child VALUES (1)")
                                        .update();
                            }
                        },
                        Modes.Batch.class);

        topic.awaitCommitted(Modes.BATCH, 7);
        assertThat(database.deadLetters()).isEqualTo(1);
        assertThat(database.deadLetters(bad)).isEqualTo(1);
        assertThat(good).allMatch(event -> database.effects(event) == 1);
        assertThat(database.effects(bad)).isZero();
    }

    @Test
    void theDatabasesFailuresCostNoAttemptAndTheOffsetWaitsForTheTransaction() throws InterruptedException {
        AtomicInteger kills = new AtomicInteger(2);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        List<UUID> events = sendSome(5);
        UUID last = topic.send();
        application
                .settings(InboxApplication.settings(ONE_ATTEMPT, DeadLetterSettings.defaults()))
                .handle(
                        (record, effects) -> {
                            if (kills.getAndDecrement() > 0) {
                                killBackend(effects);
                            } else if (is(record, last)) {
                                entered.countDown();
                                awaitLatch(leave);
                            }
                        },
                        Modes.Batch.class);

        awaitLatch(entered);
        assertThat(topic.committed(Modes.BATCH)).isLessThan(6);
        assertThat(topic.committed(Modes.BATCH)).isLessThanOrEqualTo(database.effects());
        leave.countDown();

        topic.awaitCommitted(Modes.BATCH, 6);
        assertThat(events).allMatch(event -> database.effects(event) == 1);
        assertThat(database.effects()).isEqualTo(6);
        assertThat(database.deadLetters()).isZero();
    }

    private List<UUID> sendSome(int count) {
        List<UUID> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(topic.send());
        }
        return events;
    }

    /** Every row carries the id of the transaction that wrote it. */
    private long transactions(String consumer) {
        return database.count("SELECT count(DISTINCT xmin::text) FROM effect WHERE consumer = '" + consumer + "'");
    }

    private void killBackend(Effects effects) {
        int backend = effects.jdbc()
                .sql("SELECT pg_backend_pid()")
                .query(Integer.class)
                .single();
        database.count("SELECT count(*) FROM pg_terminate_backend(" + backend + ", 5000) AS done WHERE done");
    }

    private static boolean is(ConsumerRecord<?, ?> record, UUID event) {
        return new String(record.headers().lastHeader("ce_id").value(), StandardCharsets.UTF_8)
                .equals(event.toString());
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
