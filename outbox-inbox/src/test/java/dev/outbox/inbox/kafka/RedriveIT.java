package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import dev.outbox.inbox.AfterDeadLetter;
import dev.outbox.inbox.DeadLetter;
import dev.outbox.inbox.DeadLetterFilter;
import dev.outbox.inbox.Decision;
import dev.outbox.inbox.DecisionResult;
import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.InboxOperations;
import dev.outbox.testkit.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Dead letters without a topic: from the listener to the table and back. */
class RedriveIT {

    private static final Decision DECISION = new Decision("ada", "mended");

    private final InboxDatabase database =
            InboxDatabase.withoutAutoCommit(PostgresServer.shared().createDatabase());
    private final TestTopic topic = TestTopic.create(1);
    private final InboxApplication application = InboxApplication.on(database).property("topic", topic.name());

    @AfterEach
    void close() {
        application.close();
        topic.close();
        database.close();
    }

    @Test
    void aParkedAggregateIsRedrivenInOrderByItsListenerAndNoOtherConsumerSeesAnythingOfIt() {
        byte[] large = new byte[1_048_000];
        new Random(1).nextBytes(large);
        application.start(Parking.class);
        Parking parking = application.bean(Parking.class);
        InboxOperations operations = application.bean(InboxOperations.class);
        parking.failure = new IllegalStateException("\u0000" + "x".repeat(1_000_000));

        UUID first = send(large, "o-1");
        UUID second = send(new byte[] {2}, "o-1");
        UUID other = send(new byte[] {3}, "o-2");
        topic.awaitCommitted("parking", 3);
        topic.awaitCommitted("other", 3);
        assertThat(database.effects(other)).isEqualTo(2);
        List<DeadLetter> letters = operations.deadLetters(DeadLetterFilter.ALL, 0, 10);
        assertThat(letters)
                .extracting(DeadLetter::state)
                .containsExactly(DeadLetter.State.DEAD, DeadLetter.State.WAITING);
        assertThat(letters.get(0).failure().causeType()).isEqualTo("java.lang.IllegalStateException");
        assertThat(letters.get(0).failure().attempts()).isEqualTo(InboxApplication.QUICK.attempts());
        assertThat(operations.redrive(DeadLetterFilter.ALL, DECISION).failed()).isEqualTo(1);
        parking.failure = null;
        parking.seen.clear();

        DecisionResult result = operations.redrive(DeadLetterFilter.ALL, DECISION);

        assertThat(result)
                .isEqualTo(new DecisionResult(
                        2, 0, 0, List.of(letters.get(0).id(), letters.get(1).id())));
        assertThat(parking.seen).containsExactly("parking " + first + " 1048000", "parking " + second + " 1");
        topic.send(first);
        topic.awaitCommitted("parking", 4);
        topic.awaitCommitted("other", 4);
        assertThat(database.effects(first)).as("of two consumers").isEqualTo(2);
        assertThat(database.effects(second)).isEqualTo(2);
    }

    @Test
    void whatTheDatabaseQuotesOfAnEventIsNeitherKeptNorLogged() {
        database.execute("CREATE TABLE customer (email text UNIQUE)");
        database.execute("INSERT INTO customer VALUES ('secret@example.org')");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        log.start();
        root.addAppender(log);
        try {
            application.handle((record, effects) -> effects.jdbc()
                    .sql("INSERT INTO customer VALUES (?)")
                    .param("secret@example.org")
                    .update());
            topic.send();
            topic.awaitCommitted(Handler.NAME, 1);
        } finally {
            root.detachAppender(log);
        }

        DeadLetter letter = application
                .bean(InboxOperations.class)
                .deadLetters(DeadLetterFilter.ALL, 0, 1)
                .get(0);
        assertThat(letter.failure().cause())
                .contains("customer_email_key")
                .contains("SQLSTATE 23505")
                .doesNotContain("secret");
        assertThat(List.copyOf(log.list)).extracting(RedriveIT::text).anyMatch(line -> line.contains("dead-lettered"));
        assertThat(List.copyOf(log.list)).extracting(RedriveIT::text).noneMatch(line -> line.contains("secret@"));
    }

    private static String text(ILoggingEvent event) {
        return event.getFormattedMessage()
                + (event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }

    private UUID send(byte[] value, String aggregateId) {
        UUID id = UUID.randomUUID();
        ProducerRecord<byte[], byte[]> record = topic.record(0, value, id.toString());
        record.headers().add("ce_subject", aggregateId.getBytes(StandardCharsets.UTF_8));
        topic.send(record);
        return id;
    }

    static class Parking {

        private final Effects effects;
        private final List<String> seen = new CopyOnWriteArrayList<>();
        private volatile @Nullable RuntimeException failure;

        Parking(Effects effects) {
            this.effects = effects;
        }

        @IdempotentListener(topics = "${topic}", consumer = "parking", afterDeadLetter = AfterDeadLetter.PARK_AGGREGATE)
        void on(EventMetadata event, byte[] payload) {
            seen.add("parking " + event.eventId() + " " + payload.length);
            effects.add("parking", event.eventId());
            RuntimeException thrown = failure;
            if (thrown != null && "o-1".equals(event.aggregateId())) {
                throw thrown;
            }
        }

        @IdempotentListener(topics = "${topic}", consumer = "other")
        void other(EventMetadata event) {
            seen.add("other " + event.eventId());
            effects.add("other", event.eventId());
        }
    }
}
