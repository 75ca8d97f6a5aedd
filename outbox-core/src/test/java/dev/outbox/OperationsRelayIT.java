package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import dev.outbox.jdbc.JdbcOutboxOperations;
import dev.outbox.postgresql.TableNames;
import dev.outbox.testkit.CommittedEvent;
import dev.outbox.testkit.History;
import dev.outbox.testkit.KafkaBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What decisions lead to on the topic, with relays at work. */
class OperationsRelayIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Decision ADA = new Decision("ada", "cause mended");
    private static final PublishFailure REFUSED =
            new PublishFailure(PublishFailure.Kind.PERMANENT, new IllegalStateException("no luck"));

    private final KafkaBroker kafka = KafkaBroker.shared();
    private final String topic = kafka.createTopic("orders", 1);
    private TestOutbox outbox = new TestOutbox();

    @AfterEach
    void close() throws Exception {
        outbox.close();
    }

    @Test
    void aRetriedRecordGoesOutAndWhatWaitsBehindItFollowsInOrder() {
        List<CommittedEvent> committed = append(30, "1");
        AtomicBoolean mended = new AtomicBoolean();
        relay(delivery -> mended.get() ? null : REFUSED);
        await().atMost(LIMIT).until(() -> outbox.count("waiting") == 30);
        assertThat(outbox.count("parked_at IS NOT NULL")).isEqualTo(1);

        mended.set(true);
        assertThat(operations().retry(RecordFilter.ALL, ADA).seqs()).containsExactly(1L);
        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NULL") == 0);
        assertClean(committed);
    }

    @Test
    void aDiscardedRecordNeverGoesOutAndWhatWaitsBehindItFollowsInOrder() {
        List<CommittedEvent> committed = append(30, "1");
        relay(delivery -> delivery.seq() == 1 || delivery.seq() == 4 ? REFUSED : null);
        for (int decided = 1; decided <= 2; decided++) {
            await().atMost(LIMIT).until(() -> outbox.store().backlog().parked() == 1);
            operations().discard(RecordFilter.builder().topic(topic).build(), ADA);
        }
        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NULL") == 2);
        committed.removeIf(
                event -> event.eventId().equals(eventId(1)) || event.eventId().equals(eventId(4)));
        assertThat(committed).hasSize(28);
        assertClean(committed);
        assertThat(outbox.store().backlog()).isEqualTo(Backlog.EMPTY);
    }

    @Test
    void aRangeGoesOutAgainUnderTheSameIdsAndInOrder() {
        List<CommittedEvent> committed = append(20, "1");
        committed.addAll(append(20, "2"));
        relay(delivery -> null);
        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NOT NULL") == 40);

        RecordFilter one = RecordFilter.builder().aggregate("order", "1").build();
        assertThat(operations().republish(one, ADA).count()).isEqualTo(20);
        append(1, "1");
        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NOT NULL") == 41);

        List<String> ids =
                kafka.records(topic).stream().map(TestOutbox::eventId).toList();
        List<String> first =
                committed.subList(0, 20).stream().map(CommittedEvent::eventId).toList();
        assertThat(ids).hasSize(61);
        assertThat(ids.subList(40, 60)).isEqualTo(first);
    }

    @Test
    void decisionsAreDurableInAPoolWithoutAutoCommitAndApartFromTheCallersTransaction() throws Exception {
        outbox.close();
        outbox = new TestOutbox(TestOutbox.DEFAULT_NAMES, (HikariConfig config) -> config.setAutoCommit(false));
        outbox.append(TestOutbox.event(topic, "1").build());
        outbox.transaction.executeWithoutResult(status -> outbox.jdbc
                .sql("UPDATE outbox_delivery SET parked_at = now(), waiting = true")
                .update());
        outbox.transaction.executeWithoutResult(status -> {
            operations().pause(topic, ADA);
            operations().retry(RecordFilter.ALL, ADA);
            operations().resume(topic, ADA);
            status.setRollbackOnly();
        });
        outbox.startRelay(TestOutbox.settings(64, 10));
        assertThat(kafka.awaitRecords(topic, 1, LIMIT)).hasSize(1);
        assertThat(operations().audit(AuditEntry.NEWEST, 10))
                .extracting(AuditEntry::action)
                .containsExactly("resume", "retry", "pause");
    }

    @Test
    void decisionsWorkInASchemaAndUnderAPrefixOfItsOwn() throws Exception {
        outbox.close();
        TableNames names = new TableNames("Ordering", "My_");
        outbox = new TestOutbox(names, config -> {});
        OutboxOperations operations = new JdbcOutboxOperations(outbox.dataSource, names);
        outbox.append(TestOutbox.event(topic, "1").build());
        outbox.append(TestOutbox.event(topic, "2").build());
        String delivery = "\"Ordering\".\"My_delivery\"";
        outbox.jdbc
                .sql("UPDATE " + delivery + " SET parked_at = now(), waiting = true")
                .update();

        assertThat(operations.parked(RecordFilter.ALL, ParkedRecord.Position.START, 10))
                .hasSize(2);
        assertThat(operations.retry(RecordFilter.ofSeqs(1L), ADA).count()).isEqualTo(1);
        assertThat(operations.discard(RecordFilter.ofSeqs(2L), ADA).count()).isEqualTo(1);
        outbox.startRelay(TestOutbox.settings(64, 10));
        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NOT NULL") == 1);
        assertThat(operations
                        .republish(RecordFilter.builder().topic(topic).build(), ADA)
                        .seqs())
                .containsExactly(1L);
        assertThat(operations.pause(topic, ADA) && operations.resume(topic, ADA))
                .isTrue();
        assertThat(operations.pauseRelay(ADA) && operations.resumeRelay(ADA)).isTrue();
        assertThat(operations.audit(AuditEntry.NEWEST, 10)).hasSize(7);
        assertThat(kafka.awaitRecords(topic, 2, LIMIT)).hasSize(2);
    }

    private List<CommittedEvent> append(int count, String aggregateId) {
        List<CommittedEvent> committed = new ArrayList<>();
        for (int version = 1; version <= count; version++) {
            UUID id = outbox.append(TestOutbox.event(topic, aggregateId).build());
            committed.add(new CommittedEvent(id.toString(), aggregateId, version));
        }
        return committed;
    }

    private void relay(Function<Delivery, @Nullable PublishFailure> failures) {
        outbox.startRelay(
                TestOutbox.settings(64, 10),
                outbox.store(),
                new FailingPublisher(outbox.publisher(Map.of()), failures));
    }

    private OutboxOperations operations() {
        return new JdbcOutboxOperations(outbox.dataSource, TestOutbox.DEFAULT_NAMES);
    }

    private String eventId(long seq) {
        return outbox.jdbc
                .sql("SELECT event_id::text FROM outbox_event WHERE seq = ?")
                .param(seq)
                .query(String.class)
                .single();
    }

    private void assertClean(List<CommittedEvent> committed) {
        History.of(committed, kafka.records(topic), TestOutbox::eventId, TestOutbox::key)
                .assertClean();
    }
}
