package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.OutsideWindow;
import dev.outbox.inbox.RetentionCheck;
import dev.outbox.inbox.jdbc.InboxPurge;
import dev.outbox.testkit.PostgresServer;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WindowIT {

    private final InboxDatabase database =
            InboxDatabase.in(PostgresServer.shared().createDatabase());
    private final TestTopic topic = TestTopic.create(1);

    @AfterEach
    void close() {
        topic.close();
        database.close();
    }

    @Test
    void thePolicyDecidesAboutAnEventOlderThanTheInboxRemembers() {
        try (InboxApplication application = InboxApplication.on(database).property("topic", topic.name())) {
            application.start(Policies.class);
            UUID young = topic.send(Duration.ofDays(7));
            UUID old = topic.send(Duration.ofDays(9));
            UUID last = topic.send();

            await().atMost(TestTopic.LIMIT).until(() -> database.effects(last) == 2);
            await().atMost(TestTopic.LIMIT).until(() -> !application.isRunning("stop"));

            assertThat(database.effects(young)).isEqualTo(3);
            assertThat(database.count(
                            "SELECT count(*) FROM effect WHERE consumer = 'process' AND event_id = '" + old + "'"))
                    .isEqualTo(1);
            assertThat(database.effects(old)).isEqualTo(1);
            await().atMost(TestTopic.LIMIT).until(() -> database.deadLetters(old) == 1);
            assertThat(database.count("SELECT count(*) FROM inbox_dead_letter WHERE consumer = 'dead-letter'"
                            + " AND cause LIKE '%9 d old and the inbox remembers 8 d%'"))
                    .isEqualTo(1);
            assertThat(application.observed().stops())
                    .singleElement()
                    .asString()
                    .contains("9 d old", "PROCESS");
            topic.awaitCommitted("stop", 1);
            topic.awaitCommitted("process", 3);
            for (String consumer : new String[] {"process", "dead-letter", "stop"}) {
                assertThat(application.observed().count("outsideWindow " + consumer))
                        .as(consumer)
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void afterTheInboxHasForgottenAndTheOffsetsAreResetThePolicyDecidesAndTheEventIsCounted() {
        InboxSettings quick = within(OutsideWindow.PROCESS);
        UUID event;
        try (InboxApplication application = with(quick)) {
            application.handle((record, effects) -> {});
            event = topic.send();
            topic.awaitCommitted(Handler.NAME, 1);
        }
        forgetAndRewind(quick);

        try (InboxApplication application = with(quick)) {
            application.handle((record, effects) -> {});
            await().atMost(TestTopic.LIMIT).until(() -> database.effects(event) == 2);
            topic.awaitCommitted(Handler.NAME, 1);
            assertThat(application.observed().count("outsideWindow handler")).isEqualTo(1);
        }
        forgetAndRewind(quick);

        try (InboxApplication application = with(within(OutsideWindow.DEAD_LETTER))) {
            application.handle((record, effects) -> {});
            await().atMost(TestTopic.LIMIT).until(() -> database.deadLetters(event) == 1);
            topic.awaitCommitted(Handler.NAME, 1);
            assertThat(application.observed().count("outsideWindow handler")).isEqualTo(1);
        }
        assertThat(database.effects(event)).isEqualTo(2);
    }

    private InboxApplication with(InboxSettings settings) {
        return InboxApplication.on(database).settings(settings).property("topic", topic.name());
    }

    private void forgetAndRewind(InboxSettings settings) {
        InboxPurge purge = new InboxPurge(database.pool(), settings.tables(), settings.purge());
        await().atMost(TestTopic.LIMIT).until(() -> purge.purgeNow() + database.processed() == 0);
        topic.rewind(Handler.NAME);
    }

    private static InboxSettings within(OutsideWindow outside) {
        return InboxApplication.settings(Duration.ofSeconds(1), outside, RetentionCheck.NONE);
    }

    static class Policies {

        private final Effects effects;

        Policies(Effects effects) {
            this.effects = effects;
        }

        @IdempotentListener(topics = "${topic}", consumer = "process")
        void process(EventMetadata event) {
            effects.add("process", event.eventId());
        }

        @IdempotentListener(topics = "${topic}", consumer = "dead-letter", outsideWindow = OutsideWindow.DEAD_LETTER)
        void deadLetter(EventMetadata event) {
            effects.add("dead-letter", event.eventId());
        }

        @IdempotentListener(topics = "${topic}", consumer = "stop", outsideWindow = OutsideWindow.STOP)
        void stop(EventMetadata event) {
            effects.add("stop", event.eventId());
        }
    }
}
