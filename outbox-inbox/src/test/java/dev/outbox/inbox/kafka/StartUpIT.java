package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.testkit.PostgresServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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
        assertRefused(() -> application.start(First.class, Second.class), "'billing'");
    }

    @Test
    void aNameMayNotBeBlank() {
        assertRefused(() -> application.start(Nameless.class), "has no consumer name");
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

    @Test
    void aBatchIsNotProcessedInParallel() {
        assertRefused(
                () -> application.property("workers", "2").start(Torn.class), "both batch = true and parallelism 2");
    }

    @Test
    void aParallelismIsANumberOfAtLeastOne() {
        assertRefused(() -> application.property("workers", "none").start(Parallel.class), "has parallelism 'none'");
        assertRefused(
                () -> InboxApplication.on(database)
                        .property("topic", "orders.v1")
                        .property("workers", "0")
                        .start(Parallel.class),
                "has parallelism '0'");
    }

    @Test
    void aParallelMethodMayNotUseTheConsumer() {
        assertRefused(() -> application.start(Seeking.class), "takes the Kafka Consumer");
    }

    @Test
    void besideAListMayOnlyStandLists() {
        assertRefused(() -> application.start(Mixed.class), "beside which its parameter 2 cannot stand");
    }

    @Test
    void aCustomizerMayNotCommitABatchOtherwise() {
        assertRefused(
                () -> application
                        .customize(factory -> factory.getContainerProperties().setAckMode(AckMode.TIME))
                        .start(Lists.class),
                "has AckMode TIME");
    }

    private static void assertRefused(ThrowingCallable start, String words) {
        assertThatThrownBy(start).hasStackTraceContaining(words);
    }

    static class First {
        @IdempotentListener(topics = "${topic}", consumer = "billing")
        void on(byte[] payload) {}
    }

    static class Second {
        @IdempotentListener(topics = "${topic}", consumer = "billing")
        void on(byte[] payload) {}
    }

    static class Nameless {
        @IdempotentListener(topics = "${topic}", consumer = "")
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
