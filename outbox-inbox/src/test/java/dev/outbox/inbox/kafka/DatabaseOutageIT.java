package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.inbox.DeadLetterSettings;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.RetrySettings;
import dev.outbox.testkit.PostgresOptions;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.RestartablePostgres;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DatabaseOutageIT {

    private static final int EVENTS = 60;
    private static final List<String> MODES = List.of(Handler.NAME, Modes.BATCH, Modes.PARALLEL);
    /** One failure that is counted against a record is enough to dead-letter it. */
    private static final RetrySettings ONE_ATTEMPT =
            new RetrySettings(1, Duration.ofMillis(100), Duration.ofMillis(500));

    private final RestartablePostgres server = PostgresServer.start(PostgresOptions.fast());
    private final InboxDatabase database = InboxDatabase.in(server.createDatabase());
    private final TestTopic topic = TestTopic.withDeadLetters(3);
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
    void eventsThatArriveWhileTheDatabaseIsDownHaveTheirEffectOnceWhenItIsBack() {
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
        assertThat(topic.deadLetters()).isEmpty();
        assertThat(topic.onlyMember(Handler.NAME)).isEqualTo(member);
    }

    @Test
    void theListenersStartWithoutTheDatabaseAndWaitForIt() {
        server.stopImmediate();
        application.handle((record, effects) -> {});

        UUID event = topic.send();
        await().atMost(TestTopic.LIMIT).until(() -> application.observed().count("failed handler") >= 2);
        server.start();

        await().atMost(TestTopic.LIMIT).ignoreExceptions().until(() -> database.effects(event) == 1);
        assertThat(topic.deadLetters()).isEmpty();
    }
}
