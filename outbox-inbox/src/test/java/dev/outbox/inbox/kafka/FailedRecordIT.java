package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.RetrySettings;
import dev.outbox.testkit.PostgresServer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;

class FailedRecordIT {

    private final InboxDatabase database =
            InboxDatabase.withoutAutoCommit(PostgresServer.shared().createDatabase());
    private final TestTopic topic = TestTopic.withDeadLetters(3);
    private final InboxApplication application = InboxApplication.on(database)
            .property("topic", topic.name())
            .settings(InboxApplication.settings(InboxApplication.QUICK, InboxApplication.COPIED));

    @AfterEach
    void close() {
        application.close();
        topic.close();
        database.close();
    }

    @Test
    void aFailingEventIsRetriedThenDeadLetteredWithoutAnEffect() {
        UUID bad = UUID.randomUUID();
        Handler handler = application.handle((record, effects) -> failIf(is(record, bad)));

        UUID before = topic.send();
        topic.send(bad);
        UUID after = topic.send();

        ConsumerRecord<byte[], byte[]> copy = topic.awaitDeadLetters(1).get(0);
        topic.awaitCommitted(Handler.NAME, 3);
        assertThat(handler.calls()).isEqualTo(InboxApplication.QUICK.attempts() + 2);
        assertThat(database.effects(bad)).isZero();
        assertThat(database.processed()).isEqualTo(3);
        assertThat(database.deadLetters()).isEqualTo(1);
        assertThat(database.effects(before)).isEqualTo(1);
        assertThat(database.effects(after)).isEqualTo(1);
        assertThat(copy.value()).isEqualTo(TestTopic.JSON.getBytes(StandardCharsets.UTF_8));
        assertThat(text(copy, "ce_id")).isEqualTo(bad.toString());
        assertThat(text(copy, KafkaHeaders.DLT_ORIGINAL_TOPIC)).isEqualTo(topic.name());
        assertThat(text(copy, KafkaHeaders.DLT_ORIGINAL_CONSUMER_GROUP)).isEqualTo(Handler.NAME);
        assertThat(text(copy, KafkaHeaders.DLT_EXCEPTION_FQCN)).isEqualTo(IllegalStateException.class.getName());
        assertThat(text(copy, KafkaHeaders.DLT_EXCEPTION_MESSAGE)).contains("no stock");
        assertThat(ByteBuffer.wrap(
                                header(copy, KafkaHeaders.DLT_ORIGINAL_OFFSET).value())
                        .getLong())
                .isEqualTo(1);
        assertThat(application.observed().count("failed handler")).isEqualTo(3);
        assertThat(application.observed().count("deadLettered handler")).isEqualTo(1);
    }

    @Test
    void poisonGoesToTheDeadLettersAtOnceWhereverItIsAndTheRestFlows() {
        Handler handler = application.handle((record, effects) -> {});

        topic.send(0, UUID.randomUUID());
        topic.send(topic.record(0, bytes(TestTopic.JSON), null));
        topic.send(topic.record(1, bytes(TestTopic.JSON), "42"));
        ProducerRecord<byte[], byte[]> notText = topic.record(2, bytes(TestTopic.JSON), null);
        notText.headers().add("ce_id", new byte[] {(byte) 0xC3, 0x28});
        topic.send(notText);
        topic.send(topic.record(2, null, UUID.randomUUID().toString()));
        topic.send(topic.record(0, bytes("{\"secret"), UUID.randomUUID().toString()));
        topic.send(topic.record(0, bytes("null"), UUID.randomUUID().toString()));
        topic.send(topic.record(1, new byte[0], UUID.randomUUID().toString()));
        for (int partition = 0; partition < 3; partition++) {
            topic.send(partition, UUID.randomUUID());
        }

        await().atMost(TestTopic.LIMIT).until(() -> database.effects() == 4);
        assertThat(topic.awaitDeadLetters(7))
                .hasSize(7)
                .noneMatch(
                        copy -> text(copy, KafkaHeaders.DLT_EXCEPTION_MESSAGE).contains("secret"));
        assertThat(application.observed().count("failed handler")).isEqualTo(7);
        assertThat(database.deadLetters()).isEqualTo(7);
        assertThat(handler.calls()).isEqualTo(4);
    }

    @Test
    void aHandlerThatMarksItsTransactionForRollbackAndReturnsHasFailed() {
        application.start(Refusing.class);

        topic.send();

        assertThat(text(topic.awaitDeadLetters(1).get(0), KafkaHeaders.DLT_EXCEPTION_MESSAGE))
                .contains("rollback");
        assertThat(database.effects()).isZero();
        assertThat(database.processed()).isEqualTo(1);
    }

    @Test
    void anErrorOfTheHandlerDoesNotStopItsContainer() {
        UUID bad = UUID.randomUUID();
        application.handle((record, effects) -> {
            if (is(record, bad)) {
                throw new StackOverflowError();
            }
        });

        topic.send(bad);
        UUID next = topic.send();

        await().atMost(TestTopic.LIMIT).until(() -> database.effects(next) == 1);
        assertThat(topic.awaitDeadLetters(1)).hasSize(1);
    }

    @Test
    void whileARecordWaitsForItsRetryTheOtherPartitionsOfTheConsumerFlow() {
        UUID bad = UUID.randomUUID();
        Duration longTime = Duration.ofMinutes(5);
        Handler handler = application
                .settings(InboxApplication.settings(new RetrySettings(3, longTime, longTime), InboxApplication.COPIED))
                // The consumer would be thrown out of its group if it did not poll while the record waits.
                .consumerConfig("max.poll.interval.ms", "3000")
                .handle((record, effects) -> failIf(is(record, bad)));

        topic.send(0, bad);
        UUID behind = topic.send();
        await().atMost(TestTopic.LIMIT).until(() -> handler.calls() == 1);
        String member = topic.onlyMember(Handler.NAME);
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(250))
                .until(() -> {
                    topic.send(1, UUID.randomUUID());
                    return database.effects() >= 20;
                });

        assertThat(topic.onlyMember(Handler.NAME)).isEqualTo(member);
        assertThat(database.effects(behind)).isZero();
        assertThat(topic.committed(Handler.NAME)).isZero();
    }

    @Test
    void aHugeMessageOfAnExceptionIsTrimmedAndHeadersDoNotPileUpWhenCopiesAreSentAgain() {
        String message = "\u0000" + "x".repeat(1_000_000);
        application
                .settings(InboxApplication.settings(
                        new RetrySettings(1, Duration.ofMillis(20), Duration.ofMillis(20)), InboxApplication.COPIED))
                .handle((record, effects) -> {
                    throw new IllegalStateException(message);
                });

        topic.send();
        for (int redrive = 1; redrive <= 5; redrive++) {
            ConsumerRecord<byte[], byte[]> copy =
                    topic.awaitDeadLetters(redrive).get(redrive - 1);
            copy.headers().remove("ce_id").add("ce_id", bytes(UUID.randomUUID().toString()));
            topic.send(new ProducerRecord<>(topic.name(), 0, copy.key(), copy.value(), copy.headers()));
        }

        ConsumerRecord<byte[], byte[]> last = topic.awaitDeadLetters(6).get(5);
        assertThat(header(last, KafkaHeaders.DLT_EXCEPTION_MESSAGE).value()).hasSizeLessThanOrEqualTo(1024);
        assertThat(text(last, KafkaHeaders.DLT_EXCEPTION_MESSAGE)).doesNotContain("\u0000");
        assertThat(last.headers().toArray()).extracting(Header::key).doesNotHaveDuplicates();
        assertThat(ByteBuffer.wrap(
                                header(last, KafkaHeaders.DLT_ORIGINAL_OFFSET).value())
                        .getLong())
                .isEqualTo(5);
    }

    static class Refusing {

        private final Effects effects;

        Refusing(Effects effects) {
            this.effects = effects;
        }

        @Transactional
        @IdempotentListener(topics = "${topic}", consumer = Handler.NAME)
        public void on(EventMetadata event) {
            effects.add(Handler.NAME, event.eventId());
            TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
        }
    }

    private static boolean is(ConsumerRecord<?, ?> record, UUID event) {
        return new String(record.headers().lastHeader("ce_id").value(), StandardCharsets.UTF_8)
                .equals(event.toString());
    }

    private static void failIf(boolean bad) {
        if (bad) {
            throw new IllegalStateException("no stock");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(ConsumerRecord<?, ?> record, String header) {
        return new String(header(record, header).value(), StandardCharsets.UTF_8);
    }

    private static Header header(ConsumerRecord<?, ?> record, String header) {
        return record.headers().lastHeader(header);
    }
}
