package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.inbox.DeadLetterSettings;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.RetrySettings;
import dev.outbox.testkit.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SlowHandlerIT {

    private static final RetrySettings ONE_ATTEMPT =
            new RetrySettings(1, Duration.ofMillis(20), Duration.ofMillis(100));

    /** The partition is lost while the handler runs, so the offset cannot be committed after it. */
    @Test
    void aHandlerThatOutlastsThePollIntervalHasItsEffectOnceAndHasNotFailed() {
        CountDownLatch leave = new CountDownLatch(1);
        List<String> groups = List.of(Handler.NAME, Modes.BATCH, Modes.PARALLEL);
        try (InboxDatabase database = InboxDatabase.in(PostgresServer.shared().createDatabase());
                TestTopic topic = TestTopic.create(1);
                InboxApplication application = InboxApplication.on(database)
                        .property("topic", topic.name())
                        .consumerConfig("max.poll.interval.ms", "2000")
                        .settings(InboxApplication.settings(ONE_ATTEMPT, DeadLetterSettings.defaults()))) {
            for (int i = 0; i < 5; i++) {
                topic.sendAbout("k" + i);
            }
            application.handle(
                    (record, effects) -> {
                        if (record.offset() == 2) {
                            awaitLatch(leave);
                        }
                    },
                    Handler.class,
                    Modes.Batch.class,
                    Modes.Parallel.class);
            await().atMost(TestTopic.LIMIT).until(() -> groups.stream().allMatch(topic::hasMembers));
            await().atMost(TestTopic.LIMIT).until(() -> groups.stream().noneMatch(topic::hasMembers));
            leave.countDown();

            groups.forEach(group -> topic.awaitCommitted(group, 5));
            assertThat(database.effects()).isEqualTo(15);
            assertThat(database.count("SELECT count(DISTINCT (consumer, event_id)) FROM effect"))
                    .isEqualTo(15);
            assertThat(groups).allMatch(group -> application.observed().count("failed " + group) == 0);
            assertThat(database.deadLetters()).isZero();
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
