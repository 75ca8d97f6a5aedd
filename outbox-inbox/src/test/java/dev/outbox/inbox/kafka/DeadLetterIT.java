package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.inbox.DeadLetterSettings;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.RetrySettings;
import dev.outbox.testkit.PostgresServer;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.support.KafkaHeaders;

/** Dead-lettering that fails, or nearly does. */
class DeadLetterIT {

    private static final DeadLetterSettings IMPATIENT = new DeadLetterSettings(
            DeadLetterSettings.DEFAULT_RETENTION,
            true,
            DeadLetterSettings.DEFAULT_TOPIC_SUFFIX,
            DeadLetterSettings.DEFAULT_MAX_REQUEST_BYTES,
            Duration.ofMillis(200),
            Duration.ofSeconds(5));

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
    void withoutADeadLetterTopicNothingPassesTheBadRecordUntilThatTopicIsThere() {
        Duration delay = Duration.ofMillis(400);
        application
                .settings(InboxApplication.settings(new RetrySettings(1, delay, delay), IMPATIENT))
                .handle((record, effects) -> {});

        topic.send(topic.record(0, new byte[] {'?'}, null));
        UUID behind = topic.send();
        await().atMost(TestTopic.LIMIT).until(() -> application.observed().count("failed handler") >= 2);
        // Each try waits 200 ms for the topic and 400 ms for the next one, so 3 s have room for 5.
        long failures = application.observed().count("failed handler");
        await().during(Duration.ofSeconds(3))
                .atMost(Duration.ofSeconds(4))
                .until(() -> application.observed().count("failed handler") <= failures + 6);
        assertThat(application.observed().count("failed handler")).isGreaterThan(failures);
        assertThat(application.observed().count("deadLettered handler")).isZero();
        assertThat(database.effects(behind)).isZero();
        assertThat(database.deadLetters()).isZero();
        assertThat(topic.committed(Handler.NAME)).isZero();
        topic.createDeadLetterTopic();

        await().atMost(TestTopic.LIMIT).until(() -> database.effects(behind) == 1);
        topic.awaitCommitted(Handler.NAME, 2);
        assertThat(topic.deadLetters()).hasSize(1);
        assertThat(database.deadLetters()).isEqualTo(1);
    }

    @Test
    void theCopyOfARecordOfNearlyTheLargestSizeFits() {
        topic.createDeadLetterTopic();
        byte[] value = new byte[1_048_000];
        new Random(1).nextBytes(value);
        application
                .settings(InboxApplication.settings(InboxApplication.QUICK, InboxApplication.COPIED))
                .handle((record, effects) -> {});

        topic.send(topic.record(0, value, UUID.randomUUID().toString()));
        UUID behind = topic.send();

        await().atMost(TestTopic.LIMIT).until(() -> database.effects(behind) == 1);
        ConsumerRecord<byte[], byte[]> copy = topic.awaitDeadLetters(1).get(0);
        assertThat(copy.value()).isEqualTo(value);
        assertThat(copy.headers().lastHeader(KafkaHeaders.DLT_EXCEPTION_MESSAGE))
                .isNull();
    }
}
