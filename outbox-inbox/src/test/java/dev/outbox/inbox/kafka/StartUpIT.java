package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.OutsideWindow;
import dev.outbox.testkit.PostgresServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.Consumer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.Acknowledgment;

/** Mistakes that stop the start-up. No broker is needed to find them. */
class StartUpIT {

    private final InboxDatabase database =
            InboxDatabase.in(PostgresServer.shared().createDatabase());
    private final InboxApplication application = InboxApplication.on(database).property("topic", "orders.v1");

    @AfterEach
    void close() {
        application.close();
        database.close();
    }

    @Test
    void twoListenersMayNotHaveOneName() {
        assertRefused(
                () -> application.property("name", "billing").start(First.class, NamedByExpression.class),
                "consumer name 'billing'",
                "First.on(",
                "NamedByExpression.on(");
    }

    @Test
    void norMayTwoInstancesOfOneClass() {
        assertRefused(() -> application.start(First.class, TwoBeans.class), "'billing'");
    }

    @Test
    void withoutANameOverloadsClashAndSoDoClassesThatAreCalledTheSame() {
        assertRefused(
                () -> application.start(Overloads.class), "name 'Overloads.on'", "on(byte[])", "on(java.lang.String)");
        assertRefused(
                () -> InboxApplication.on(database)
                        .property("topic", "orders.v1")
                        .start(Nameless.class, Elsewhere.Nameless.class),
                "name 'Nameless.on'",
                "StartUpIT$Nameless.on(",
                "Elsewhere$Nameless.on(");
    }

    @Test
    void aNameThatResolvesToNothingIsRefused() {
        assertRefused(() -> application.property("name", "").start(Named.class), "has no consumer name");
    }

    @Test
    void aNameThatAnotherGroupUsesIsRefusedAndBothGroupsAreNamed() {
        application.start(Idle.class).close();
        InboxApplication instance =
                InboxApplication.on(database).property("topic", "orders.v1").property("group", "shared");
        instance.start(Idle.class).close();

        assertRefused(
                () -> InboxApplication.on(database)
                        .property("topic", "orders.v1")
                        .property("group", "other-service")
                        .start(Idle.class),
                "group 'shared' (application 'test', last seen ",
                "group 'other-service'",
                "outbox.inbox.renamed-groups[idle]=shared");
    }

    @Test
    void aGroupThatWasRenamedOnPurposeTakesTheNameOver() {
        application.start(Idle.class).close();

        InboxApplication.on(database)
                .property("topic", "orders.v1")
                .property("group", "renamed")
                .renamedGroup("idle", "shared")
                .start(Idle.class)
                .close();

        assertThat(database.count("SELECT count(*) FROM inbox_consumer WHERE group_id = 'renamed'"))
                .isEqualTo(1);
    }

    @Test
    void aNameUnusedForLongerThanTheInboxRemembersIsFree() {
        application.start(Idle.class).close();
        database.execute("UPDATE inbox_consumer SET last_seen = now() - interval '8 days 1 second'");

        InboxApplication.on(database)
                .property("topic", "orders.v1")
                .property("group", "other-service")
                .start(Idle.class)
                .close();
    }

    @Test
    void aListenerHasOnePolicyForTheWindow() {
        assertRefused(() -> application.start(Undecided.class), "2 policies in outsideWindow");
    }

    @Test
    void aNameMayNotHaveAnotherForm() {
        assertRefused(() -> application.property("name", "with blank").start(Named.class), "\"with blank\"");
    }

    @Test
    void aConsumerSettingAgainstTheGuaranteeIsRefusedByName() {
        assertRefused(
                () -> application.consumerConfig("enable.auto.commit", "true").start(First.class),
                "enable.auto.commit is 'true'");
    }

    @Test
    void soIsOneOfASingleListener() {
        assertRefused(() -> application.start(Uncommitted.class), "isolation.level is 'read_uncommitted'");
    }

    @Test
    void aTransactionManagerOfAnotherDatabaseIsRefused() {
        InboxDatabase other = InboxDatabase.in(PostgresServer.shared().createDatabase());
        try (other) {
            assertRefused(
                    () -> application
                            .transactionManager(new JdbcTransactionManager(other.pool()))
                            .start(First.class),
                    "belongs to another one");
        }
    }

    @Test
    void aMethodMayNotReturnWorkThatEndsLater() {
        assertRefused(() -> application.start(Async.class), "returns CompletableFuture");
    }

    @Test
    void aMethodMayNotAcknowledgeByItself() {
        assertRefused(() -> application.start(Acknowledging.class), "takes an Acknowledgment");
    }

    @Test
    void aMethodMayNotBeAKafkaListenerToo() {
        assertRefused(() -> application.start(Both.class), "both @IdempotentListener and @KafkaListener");
    }

    @Test
    void aCustomizerMayNotSwitchToManualAcknowledgement() {
        assertRefused(
                () -> application
                        .customize(factory -> factory.getContainerProperties().setAckMode(AckMode.MANUAL))
                        .start(First.class),
                "acknowledges manually");
    }

    @Test
    void aCustomizerMayNotReplaceTheErrorHandler() {
        assertRefused(
                () -> application
                        .customize(factory -> factory.setContainerCustomizer(
                                container -> container.setCommonErrorHandler(new DefaultErrorHandler())))
                        .start(First.class),
                "another error handler");
    }

    private static void assertRefused(ThrowingCallable start, String... words) {
        AbstractThrowableAssert<?, ?> refusal = assertThatThrownBy(start);
        for (String word : words) {
            refusal.hasStackTraceContaining(word);
        }
    }

    static class First {
        @IdempotentListener(topics = "${topic}", consumer = "billing")
        void on(byte[] payload) {}
    }

    static class NamedByExpression {
        @IdempotentListener(topics = "${topic}", consumer = "#{'${name}'}")
        void on(byte[] payload) {}
    }

    static class TwoBeans {
        @Bean
        First second() {
            return new First();
        }
    }

    static class Nameless {
        @IdempotentListener(topics = "${topic}")
        void on(byte[] payload) {}
    }

    static class Elsewhere {
        static class Nameless {
            @IdempotentListener(topics = "${topic}")
            void on(byte[] payload) {}
        }
    }

    static class Overloads {
        @IdempotentListener(topics = "${topic}")
        void on(byte[] payload) {}

        @IdempotentListener(topics = "${topic}")
        void on(String payload) {}
    }

    static class Idle {
        @IdempotentListener(topics = "${topic}", consumer = "idle", groupId = "${group:shared}", autoStartup = "false")
        void on(byte[] payload) {}
    }

    static class Undecided {
        @IdempotentListener(
                topics = "${topic}",
                consumer = "undecided",
                outsideWindow = {OutsideWindow.STOP, OutsideWindow.PROCESS})
        void on(byte[] payload) {}
    }

    static class Named {
        @IdempotentListener(topics = "${topic}", consumer = "${name}")
        void on(byte[] payload) {}
    }

    static class Uncommitted {
        @IdempotentListener(topics = "${topic}", consumer = "dirty", properties = "isolation.level=read_uncommitted")
        void on(byte[] payload) {}
    }

    static class Async {
        @IdempotentListener(topics = "${topic}", consumer = "async")
        CompletableFuture<Void> on(byte[] payload) {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class Both {
        @KafkaListener(topics = "${topic}", groupId = "left-over")
        @IdempotentListener(topics = "${topic}", consumer = "both")
        void on(byte[] payload) {}
    }

    static class Torn {
        @IdempotentListener(topics = "${topic}", consumer = "torn", batch = true, parallelism = "${workers}")
        void on(byte[] payload) {}
    }

    static class Parallel {
        @IdempotentListener(topics = "${topic}", consumer = "parallel", parallelism = "${workers}")
        void on(byte[] payload) {}
    }

    static class Seeking {
        @IdempotentListener(topics = "${topic}", consumer = "seeking", parallelism = "#{1 + 1}")
        void on(byte[] payload, Consumer<?, ?> consumer) {}
    }

    static class Mixed {
        @IdempotentListener(topics = "${topic}", consumer = "mixed", batch = true)
        void on(List<byte[]> payloads, EventMetadata event) {}
    }

    static class Lists {
        @IdempotentListener(topics = "${topic}", consumer = "lists", batch = true)
        void on(List<byte[]> payloads, List<EventMetadata> events) {}
    }

    static class Acknowledging {
        @IdempotentListener(topics = "${topic}", consumer = "acknowledging")
        void on(byte[] payload, Acknowledgment acknowledgment) {}
    }
}
