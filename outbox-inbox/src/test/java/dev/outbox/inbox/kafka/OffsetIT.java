package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.inbox.DeadLetterFilter;
import dev.outbox.inbox.DeadLetterSettings;
import dev.outbox.inbox.Decision;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.InboxOperations;
import dev.outbox.inbox.RetrySettings;
import dev.outbox.testkit.PostgresServer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No offset is committed before the database has committed, also when the commit is what fails. */
class OffsetIT {

    private static final RetrySettings ENDLESS =
            new RetrySettings(Integer.MAX_VALUE, Duration.ofMillis(20), Duration.ofMillis(100));
    private static final RetrySettings ONE_ATTEMPT =
            new RetrySettings(1, Duration.ofMillis(20), Duration.ofMillis(100));

    private static final Decision DECISION = new Decision("ada", "the parent is there now");

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
    void whileTheHandlersTransactionIsOpenItsOffsetIsNotCommitted() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        application.handle((record, effects) -> {
            entered.countDown();
            awaitLatch(leave);
        });

        topic.send();
        awaitLatch(entered);
        assertThat(topic.committed(Handler.NAME)).isZero();
        leave.countDown();

        topic.awaitCommitted(Handler.NAME, 1);
        assertThat(database.effects()).isEqualTo(1);
    }

    @Test
    void aCommitThatFailsOfADeferredForeignKeyIsRetriedUntilItsCauseIsMended() {
        deferredForeignKey();
        application
                .settings(InboxApplication.settings(ENDLESS, DeadLetterSettings.defaults()))
                .handle((record, effects) -> insertOrphan(effects));

        UUID event = topic.send();
        topic.send();
        await().atMost(TestTopic.LIMIT).until(() -> application.observed().count("failed handler") >= 3);
        assertThat(topic.committed(Handler.NAME)).isZero();
        assertThat(database.processed()).isZero();
        assertThat(database.effects()).isZero();
        database.execute("INSERT INTO parent VALUES (1)");

        topic.awaitCommitted(Handler.NAME, 2);
        assertThat(database.effects(event)).isEqualTo(1);
        assertThat(database.effects()).isEqualTo(2);
        assertThat(database.deadLetters()).isZero();
    }

    @Test
    void aCommitThatKeepsFailingIsDeadLetteredAndARedriveHasItsEffectOnce() {
        deferredForeignKey();
        application.handle((record, effects) -> insertOrphan(effects));

        UUID event = topic.send();
        topic.awaitCommitted(Handler.NAME, 1);
        assertThat(database.deadLetters()).isEqualTo(1);
        assertThat(database.effects()).isZero();
        InboxOperations operations = application.bean(InboxOperations.class);
        assertThat(operations.redrive(DeadLetterFilter.ALL, DECISION).failed()).isEqualTo(1);
        assertThat(database.effects()).isZero();
        database.execute("INSERT INTO parent VALUES (1)");

        assertThat(operations.redrive(DeadLetterFilter.ALL, DECISION).count()).isEqualTo(1);
        assertThat(operations.redrive(DeadLetterFilter.ALL, DECISION).count()).isZero();
        topic.send(event);
        topic.awaitCommitted(Handler.NAME, 2);
        assertThat(database.effects(event)).isEqualTo(1);
    }

    @Test
    void aBackendThatDiesBeforeTheCommitCostsNoAttempt() {
        AtomicBoolean killed = new AtomicBoolean();
        Handler handler = application
                .settings(InboxApplication.settings(ONE_ATTEMPT, DeadLetterSettings.defaults()))
                .handle((record, effects) -> {
                    if (killed.compareAndSet(false, true)) {
                        killBackend(effects);
                    }
                });

        UUID event = topic.send();

        topic.awaitCommitted(Handler.NAME, 1);
        assertThat(handler.calls()).isEqualTo(2);
        assertThat(database.effects(event)).isEqualTo(1);
        assertThat(database.deadLetters()).isZero();
    }

    private void deferredForeignKey() {
        database.execute("CREATE TABLE parent (id int PRIMARY KEY)");
        database.execute("CREATE TABLE child (parent int REFERENCES parent DEFERRABLE INITIALLY DEFERRED)");
    }

    private static void insertOrphan(Effects effects) {
        effects.jdbc().sql("INSERT INTO child VALUES (1)").update();
    }

    private void killBackend(Effects effects) {
        int backend = effects.jdbc()
                .sql("SELECT pg_backend_pid()")
                .query(Integer.class)
                .single();
        assertThat(database.count(
                        "SELECT count(*) FROM pg_terminate_backend(" + backend + ", 5000) AS done WHERE done"))
                .isEqualTo(1);
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
