package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.inbox.DeadLetterSettings;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.RetrySettings;
import dev.outbox.testkit.PostgresOptions;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.RestartablePostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcUtils;

class DatabaseOutageIT {

    private static final int EVENTS = 60;
    private static final List<String> MODES = List.of(Handler.NAME, Modes.BATCH, Modes.PARALLEL);
    /** One failure that is counted against a record is enough to dead-letter it. */
    private static final RetrySettings ONE_ATTEMPT =
            new RetrySettings(1, Duration.ofMillis(100), Duration.ofMillis(500));

    private final RestartablePostgres server = PostgresServer.start(PostgresOptions.fast());
    private final InboxDatabase database = InboxDatabase.in(server.createDatabase());
    private final TestTopic topic = TestTopic.create(3);
    private final InboxApplication application = InboxApplication.on(database)
            .property("topic", topic.name())
            .settings(InboxApplication.settings(ONE_ATTEMPT, DeadLetterSettings.defaults()));

    @AfterEach
    void close() {
        application.close();
        topic.close();
        database.close();
        server.close();
    }

    @Test
    void eventsThatArriveWhileTheDatabaseIsDownHaveTheirEffectOnceWhenItIsBack() throws SQLException {
        application.handle((record, effects) -> {}, Handler.class, Modes.Batch.class, Modes.Parallel.class);
        for (int i = 0; i < EVENTS / 2; i++) {
            topic.send(i % 3, UUID.randomUUID());
        }
        await().atMost(TestTopic.LIMIT).until(() -> database.effects() > 0);
        String member = topic.onlyMember(Handler.NAME);
        server.stopImmediate();
        for (int i = 0; i < EVENTS / 2; i++) {
            topic.send(i % 3, UUID.randomUUID());
        }
        await().atMost(TestTopic.LIMIT)
                .until(() ->
                        MODES.stream().allMatch(mode -> application.observed().count("failed " + mode) >= 4));
        server.start();

        await().atMost(TestTopic.LIMIT).until(() -> database.effects() >= (long) EVENTS * MODES.size());
        assertThat(database.count("SELECT count(DISTINCT (consumer, event_id)) FROM effect"))
                .isEqualTo((long) EVENTS * MODES.size());
        assertThat(database.effects()).isEqualTo((long) EVENTS * MODES.size());
        assertThat(topic.onlyMember(Handler.NAME)).isEqualTo(member);
        whileThePoolIsExhausted(this::anEventWaitsAndHasItsEffectOnce);
        assertThat(database.deadLetters()).isZero();
        assertThat(topic.onlyMember(Handler.NAME)).isEqualTo(member);
    }

    private void whileThePoolIsExhausted(Consumer<Runnable> attempt) throws SQLException {
        List<Connection> all = new ArrayList<>();
        try {
            while (all.size() < InboxDatabase.POOL_SIZE) {
                all.add(database.pool().getConnection());
            }
            attempt.accept(() -> all.forEach(JdbcUtils::closeConnection));
        } finally {
            all.forEach(JdbcUtils::closeConnection);
        }
    }

    private void anEventWaitsAndHasItsEffectOnce(Runnable release) {
        long failed = application.observed().count("failed handler");
        UUID event = topic.send();
        topic.send(event);
        await().atMost(TestTopic.LIMIT).until(() -> application.observed().count("failed handler") >= failed + 2);
        release.run();

        await().atMost(TestTopic.LIMIT)
                .until(() ->
                        MODES.stream().allMatch(mode -> application.observed().count("duplicate " + mode) >= 1));
        assertThat(database.effects(event)).isEqualTo(MODES.size());
    }

    @Test
    void theListenersStartWithoutTheDatabaseAndWaitForIt() {
        server.stopImmediate();
        application.handle((record, effects) -> {});

        UUID event = topic.send();
        await().atMost(TestTopic.LIMIT).until(() -> application.observed().count("failed handler") >= 2);
        server.start();

        await().atMost(TestTopic.LIMIT).ignoreExceptions().until(() -> database.effects(event) == 1);
        assertThat(database.deadLetters()).isZero();
    }

    @Test
    void aNameThatAnotherGroupUsesStopsTheConsumerBeforeItsFirstEventWhenTheDatabaseIsBack() {
        database.execute("INSERT INTO inbox_consumer VALUES ('clashing', 'another-service', 'shop')");
        server.stopImmediate();
        application.handle((record, effects) -> {}, Handler.class, Clashing.class);

        UUID event = topic.send();
        await().atMost(TestTopic.LIMIT).until(() -> application.observed().count("failed clashing") >= 1);
        server.start();

        await().atMost(TestTopic.LIMIT).until(() -> !application.isRunning("clashing"));
        assertThat(application.observed().stops())
                .singleElement()
                .asString()
                .contains("'another-service' (application 'shop'", "group 'clashing'");
        await().atMost(TestTopic.LIMIT).until(() -> database.effects(event) == 1);
        assertThat(application.isRunning(Handler.NAME)).isTrue();
        assertThat(topic.committed("clashing")).isZero();
        assertThat(database.deadLetters()).isZero();
    }

    static class Clashing {

        @IdempotentListener(topics = "${topic}", consumer = "clashing")
        void on(byte[] payload) {}
    }
}
