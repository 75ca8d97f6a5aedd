package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.inbox.DeadLetterFilter;
import dev.outbox.inbox.Decision;
import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.InboxOperations;
import dev.outbox.inbox.PermanentEventException;
import dev.outbox.inbox.VersionPolicy;
import dev.outbox.inbox.jdbc.InboxVersions;
import dev.outbox.testkit.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

class VersionedListenerIT {

    private static final Decision DECISION = new Decision("ada", "mended");

    private final InboxDatabase database =
            InboxDatabase.withoutAutoCommit(PostgresServer.shared().createDatabase());
    private final TestTopic topic = TestTopic.create(2);
    private final InboxApplication application = InboxApplication.on(database).property("topic", topic.name());

    @AfterEach
    void close() {
        application.close();
        topic.close();
        database.close();
    }

    @Test
    void versionsThatComeOnTwoPartitionsInDisorderAreAppliedInOrderOrSkippedAsTheListenerAsks() {
        database.execute(
                "CREATE TABLE version (seq bigint GENERATED ALWAYS AS IDENTITY, consumer text, number bigint)");
        application.start(Strict.class, SkipStale.class);

        for (long version : new long[] {3, 1, 0, 5, 1}) {
            send(0, version);
        }
        for (long version : new long[] {4, 2, 6, 6}) {
            send(1, version);
        }
        topic.send(topic.record(0, new byte[] {'{', '}'}, UUID.randomUUID().toString()));

        await().atMost(TestTopic.LIMIT).until(() -> applied("strict").size() == 7);
        assertThat(applied("strict")).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(database.count("SELECT count(*) FROM inbox_early_event")).isZero();
        await().atMost(TestTopic.LIMIT).until(() -> applied("stale").contains(6L));
        assertThat(applied("stale")).isSorted().doesNotHaveDuplicates();
        await().atMost(TestTopic.LIMIT).until(() -> database.deadLetters() == 2);
    }

    @Test
    void whatIsDeadHoldsUpLaterVersionsUntilItIsRedrivenOrDiscarded() {
        database.execute(
                "CREATE TABLE version (seq bigint GENERATED ALWAYS AS IDENTITY, consumer text, number bigint)");
        application.start(Refusing.class);
        Refusing refusing = application.bean(Refusing.class);
        InboxOperations operations = application.bean(InboxOperations.class);
        refusing.refused = 1;
        for (long version = 0; version < 4; version++) {
            send(0, version);
        }
        topic.awaitCommitted("refusing", 4);
        assertThat(applied("refusing")).containsExactly(0L);
        assertThat(openVersions()).containsExactly(1L);
        refusing.refused = 2;

        assertThat(operations.redrive(DeadLetterFilter.ALL, DECISION).count()).isEqualTo(1);
        assertThat(applied("refusing")).containsExactly(0L, 1L);
        assertThat(openVersions()).containsExactly(2L);

        operations.discard(DeadLetterFilter.builder().consumer("refusing").build(), DECISION);
        application.bean(InboxVersions.class).sweeper(() -> true).sweepNow();
        assertThat(applied("refusing")).containsExactly(0L, 1L, 3L);
        assertThat(openVersions()).isEmpty();
        assertThat(database.count("SELECT count(*) FROM inbox_early_event")).isZero();
    }

    private List<Long> openVersions() {
        return application
                .bean(JdbcClient.class)
                .sql("SELECT aggregate_version FROM inbox_dead_letter WHERE decided_at IS NULL ORDER BY id")
                .query(Long.class)
                .list();
    }

    private void send(int partition, long version) {
        UUID id = UUID.nameUUIDFromBytes(new byte[] {(byte) version});
        ProducerRecord<byte[], byte[]> record = topic.record(partition, new byte[] {'{', '}'}, id.toString());
        Map.of("ce_aggregatetype", "order", "ce_subject", "o-1", "ce_aggregateversion", Long.toString(version))
                .forEach((name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        topic.send(record);
    }

    private List<Long> applied(String consumer) {
        return application
                .bean(JdbcClient.class)
                .sql("SELECT number FROM version WHERE consumer = ? ORDER BY seq")
                .param(consumer)
                .query(Long.class)
                .list();
    }

    static class Strict {

        private final Effects effects;

        Strict(Effects effects) {
            this.effects = effects;
        }

        @IdempotentListener(
                topics = "${topic}",
                consumer = "strict",
                concurrency = "2",
                versions = VersionPolicy.STRICT,
                firstVersion = 0)
        void on(EventMetadata event) {
            add(effects, "strict", event);
        }
    }

    static class SkipStale {

        private final Effects effects;

        SkipStale(Effects effects) {
            this.effects = effects;
        }

        @IdempotentListener(topics = "${topic}", consumer = "stale", versions = VersionPolicy.SKIP_STALE)
        void on(EventMetadata event) {
            add(effects, "stale", event);
        }
    }

    static class Refusing {

        private final Effects effects;
        private volatile long refused;

        Refusing(Effects effects) {
            this.effects = effects;
        }

        @IdempotentListener(
                topics = "${topic}",
                consumer = "refusing",
                versions = VersionPolicy.STRICT,
                firstVersion = 0)
        void on(EventMetadata event) {
            if (Objects.requireNonNull(event.aggregateVersion()) == refused) {
                throw new PermanentEventException("refused");
            }
            add(effects, "refusing", event);
        }
    }

    private static void add(Effects effects, String consumer, EventMetadata event) {
        effects.jdbc()
                .sql("INSERT INTO version (consumer, number) VALUES (?, ?)")
                .params(consumer, Objects.requireNonNull(event.aggregateVersion()))
                .update();
    }
}
