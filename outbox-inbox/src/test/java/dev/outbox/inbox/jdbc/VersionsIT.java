package dev.outbox.inbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.InboxUnavailableException;
import dev.outbox.inbox.PermanentEventException;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.Verdict;
import dev.outbox.inbox.VersionPolicy;
import dev.outbox.inbox.VersionSettings;
import dev.outbox.inbox.VersionTimeout;
import dev.outbox.testkit.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.springframework.dao.TransientDataAccessResourceException;

/** Each test has a consumer of its own, so that one database serves them all. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VersionsIT {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final VersionSettings PATIENT = VersionSettings.defaults();

    private final InboxDatabase database =
            InboxDatabase.withoutAutoCommit(PostgresServer.shared().createDatabase());

    @BeforeAll
    void createTables() {
        VersionedConsumer.createTables(database);
    }

    @AfterAll
    void close() {
        database.close();
    }

    @Test
    void whatIsNotNewerIsSkippedIfOnlyNewerVersionsAreWanted(TestInfo test) {
        VersionedConsumer consumer = consumer(test, VersionPolicy.SKIP_STALE, PATIENT);

        assertThat(List.of(3L, 1L, 2L, 3L, 5L).stream().map(consumer::deliver))
                .containsExactly(Verdict.APPLIED, Verdict.STALE, Verdict.STALE, Verdict.DUPLICATE, Verdict.APPLIED);
        assertThat(consumer.deliver(consumer.event(5, UUID.randomUUID()))).isEqualTo(Verdict.STALE);

        assertThat(consumer.applied()).containsExactly(3L, 5L);
    }

    @Test
    void aVersionRollsBackWithItsEffect(TestInfo test) {
        for (VersionPolicy policy : List.of(VersionPolicy.SKIP_STALE, VersionPolicy.STRICT)) {
            AtomicInteger calls = new AtomicInteger();
            VersionedConsumer consumer = consumer(test.getDisplayName() + policy, policy, PATIENT)
                    .behaving(version -> {
                        if (calls.incrementAndGet() == 1) {
                            throw new IllegalStateException("fails once");
                        }
                    });

            assertThatThrownBy(() -> consumer.deliver(1)).isInstanceOf(IllegalStateException.class);

            assertThat(consumer.deliver(1)).isEqualTo(Verdict.APPLIED);
            assertThat(consumer.applied()).containsExactly(1L);
        }
    }

    @Test
    void twoInstancesThatGetVersionsInAnyOrderWithRepeatsApplyThemInOrderOnce(TestInfo test) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        Random random = new Random(4);
        try {
            for (int round = 0; round < 20; round++) {
                List<Long> order = new ArrayList<>(
                        List.of(1L, 2L, 3L, 4L, 5L, 6L, 1L + random.nextInt(6), 1L + random.nextInt(6)));
                Collections.shuffle(order, random);
                String name = test.getDisplayName() + round;
                VersionedConsumer first = consumer(name, VersionPolicy.STRICT, PATIENT);
                VersionedConsumer second = consumer(name, VersionPolicy.STRICT, PATIENT);
                for (Future<Void> end : threads.invokeAll(
                        List.of(delivery(first, order.subList(0, 4)), delivery(second, order.subList(4, 8))))) {
                    end.get();
                }
                assertThat(first.applied()).as("%s", order).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
                assertThat(first.kept()).isZero();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aBatchIsAdmittedEventByEvent(TestInfo test) {
        VersionedConsumer consumer = consumer(test, VersionPolicy.STRICT, PATIENT);

        assertThat(consumer.take(consumer.event(1), consumer.event(3), consumer.event(2))
                        .values())
                .containsExactly(Verdict.APPLIED, Verdict.EARLY, Verdict.APPLIED);
        assertThat(consumer.applied()).containsExactly(1L, 2L);

        assertThat(consumer.deliver(4)).isEqualTo(Verdict.EARLY);
        assertThat(consumer.applied()).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void whatACrashLeavesBehindIsAppliedByTheNextLook(TestInfo test) {
        VersionedConsumer consumer = consumer(test, VersionPolicy.STRICT, PATIENT);
        consumer.deliver(2);
        consumer.deliver(3);
        consumer.sweep();
        assertThat(consumer.backlog().count()).isEqualTo(2);
        assertThat(consumer.backlog().oldestAge()).isPositive();
        consumer.take(consumer.event(1));
        assertThat(consumer.applied()).containsExactly(1L);

        consumer(test, VersionPolicy.STRICT, PATIENT).sweep();

        assertThat(consumer.applied()).containsExactly(1L, 2L, 3L);
        consumer.sweep();
        assertThat(consumer.backlog().count()).isZero();
    }

    @Test
    void anAggregateThatAnotherTransactionHoldsIsPassedBy(TestInfo test) {
        VersionedConsumer other = consumer(test, VersionPolicy.STRICT, PATIENT);
        VersionedConsumer consumer = consumer(test, VersionPolicy.STRICT, PATIENT);
        consumer.deliver(2);
        consumer.behaving(version -> {
            if (version == 2) {
                CompletableFuture.runAsync(other::sweep).join();
            }
        });

        consumer.deliver(1);

        assertThat(consumer.applied()).containsExactly(1L, 2L);
    }

    @Test
    void anEarlyEventThatFailsIsTriedAgainAndThenDeadLettered(TestInfo test) {
        AtomicInteger calls = new AtomicInteger();
        VersionedConsumer consumer = consumer(test, VersionPolicy.STRICT, PATIENT)
                .behaving(version -> {
                    if (version == 2) {
                        throw calls.incrementAndGet() == 1
                                ? new TransientDataAccessResourceException("the database is the cause")
                                : new IllegalStateException("bad \u0000 text");
                    }
                });
        consumer.deliver(2);
        consumer.deliver(3);

        consumer.deliver(1);
        assertThat(consumer.kept()).isEqualTo(2);
        await().atMost(LIMIT).pollInterval(Duration.ofMillis(10)).until(() -> {
            consumer.sweep();
            return consumer.kept() == 1;
        });

        assertThat(calls).hasValue(4);
        assertThat(database.count("SELECT count(*) FROM dead WHERE attempts = 3 AND consumer = '"
                        + test.getTestMethod().orElseThrow().getName() + "'"))
                .isEqualTo(1);
        assertThat(consumer.applied()).containsExactly(1L);
        assertThat(consumer.deliver(2)).isEqualTo(Verdict.DUPLICATE);

        consumer.discard(2);
        consumer.sweep();
        assertThat(consumer.applied()).containsExactly(1L, 3L);
    }

    @Test
    void onTimeoutEarlyEventsGoToTheDeadLettersAndTheirVersionsCanBeSettledInAnyOrder(TestInfo test) {
        VersionedConsumer consumer = consumer(test, VersionPolicy.STRICT, impatient(VersionTimeout.DEAD_LETTER));
        consumer.deliver(1);
        consumer.deliver(3);
        consumer.deliver(4);

        sweepUntil(consumer, () -> consumer.kept() == 0);

        assertThat(consumer.dead())
                .hasSize(2)
                .allSatisfy(cause -> assertThat(cause)
                        .startsWith("0 Version 2 of order o-1 is missing since 20")
                        .endsWith("has not come within PT0.1S"));
        consumer.discard(4);
        consumer.discard(4);
        consumer.discard(3);
        assertThat(consumer.applied()).containsExactly(1L);
        assertThat(consumer.deliver(2)).isEqualTo(Verdict.APPLIED);
        assertThat(consumer.deliver(5)).isEqualTo(Verdict.APPLIED);
        assertThat(consumer.kept()).isZero();
    }

    @Test
    void onTimeoutTheGapsAreSkippedIfThatIsWanted(TestInfo test) {
        VersionedConsumer consumer = consumer(test, VersionPolicy.STRICT, impatient(VersionTimeout.APPLY));
        LongStream.of(3, 4, 6).forEach(consumer::deliver);

        sweepUntil(consumer, () -> consumer.kept() == 0);

        assertThat(consumer.applied()).containsExactly(3L, 4L, 6L);
        assertThat(consumer.deliver(2)).isEqualTo(Verdict.STALE);
        assertThat(consumer.deliver(7)).isEqualTo(Verdict.APPLIED);
    }

    @Test
    void onTimeoutTheyWaitOnIfThatIsWanted(TestInfo test) {
        VersionedConsumer consumer = consumer(test, VersionPolicy.STRICT, impatient(VersionTimeout.WAIT));
        consumer.deliver(2);

        sweepUntil(
                consumer,
                () -> consumer.backlog() != null
                        && consumer.backlog().oldestAge().compareTo(SHORT.multipliedBy(3)) > 0);

        assertThat(consumer.kept()).isEqualTo(1);
        consumer.deliver(1);
        assertThat(consumer.applied()).containsExactly(1L, 2L);
    }

    @Test
    void nothingTimesOutRightAfterAStart(TestInfo test) {
        VersionedConsumer consumer = consumer(test, VersionPolicy.STRICT, impatient(VersionTimeout.DEAD_LETTER));
        consumer.deliver(2);
        database.execute("UPDATE inbox_early_event SET received_at = received_at - interval '2 hours'"
                + " WHERE consumer = '" + test.getTestMethod().orElseThrow().getName() + "'");

        consumer.sweep();
        consumer.sweep();

        assertThat(consumer.kept()).isEqualTo(1);
    }

    @Test
    void moreEarlyEventsThanMayBeKeptAreRefusedAndTheMissingOneIsNot(TestInfo test) {
        VersionSettings narrow = new VersionSettings(2, 3, PATIENT.timeout(), PATIENT.onTimeout(), PATIENT.period());
        VersionedConsumer consumer = consumer(test, VersionPolicy.STRICT, narrow);
        consumer.deliver(2);
        consumer.deliver(3);
        assertThatExceptionOfType(PermanentEventException.class)
                .isThrownBy(() -> consumer.deliver(4))
                .withMessage(
                        "Version 4 of order o-1 came before version 1, and 2 early events of that aggregate are kept"
                                + " already, the most that may be");
        assertThat(consumer.deliver(about("o-2", 2))).isEqualTo(Verdict.EARLY);
        assertThatExceptionOfType(PermanentEventException.class)
                .isThrownBy(() -> consumer.deliver(about("o-3", 2)))
                .withMessageContaining("3 early events of the consumer are kept already");

        consumer.deliver(1);

        assertThat(consumer.applied()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void twoEventsOfOneEarlyVersionAreNamed(TestInfo test) {
        VersionedConsumer consumer = consumer(test, VersionPolicy.STRICT, PATIENT);
        consumer.deliver(2);
        UUID other = UUID.randomUUID();

        assertThatExceptionOfType(PermanentEventException.class)
                .isThrownBy(() -> consumer.deliver(consumer.event(2, other)))
                .withMessageContaining(consumer.event(2).metadata().eventId().toString())
                .withMessageContaining(other.toString());

        // Its turn has come, but the one that was kept comes first.
        consumer.take(consumer.event(1));
        assertThatExceptionOfType(PermanentEventException.class)
                .isThrownBy(() -> consumer.deliver(consumer.event(2, other)));
        consumer.sweep();
        assertThat(consumer.applied()).containsExactly(1L, 2L);
        assertThat(consumer.deliver(consumer.event(2, other))).isEqualTo(Verdict.STALE);
    }

    @Test
    void aVersionBelowTheFirstIsRefusedNotSkipped(TestInfo test) {
        VersionedConsumer consumer = consumer(test, VersionPolicy.STRICT, PATIENT);

        assertThatExceptionOfType(PermanentEventException.class)
                .isThrownBy(() -> consumer.deliver(0))
                .withMessageContaining("firstVersion");
    }

    @Test
    void aFailureOfTheDatabaseIsNotTheEvents(TestInfo test) {
        VersionedConsumer strict = consumer(test, VersionPolicy.STRICT, PATIENT);
        VersionedConsumer stale = consumer(test, VersionPolicy.SKIP_STALE, PATIENT);
        database.execute("ALTER TABLE inbox_aggregate_version RENAME TO hidden");
        try {
            assertThatThrownBy(() -> strict.deliver(1)).isInstanceOf(InboxUnavailableException.class);
            assertThatThrownBy(() -> stale.deliver(1)).isInstanceOf(InboxUnavailableException.class);
        } finally {
            database.execute("ALTER TABLE hidden RENAME TO inbox_aggregate_version");
        }
    }

    private VersionedConsumer consumer(TestInfo test, VersionPolicy policy, VersionSettings settings) {
        return consumer(test.getTestMethod().orElseThrow().getName(), policy, settings);
    }

    private VersionedConsumer consumer(String name, VersionPolicy policy, VersionSettings settings) {
        String clean = name.replaceAll("[^A-Za-z0-9]", "");
        return new VersionedConsumer(database, clean, listener(policy), settings);
    }

    private static VersionSettings impatient(VersionTimeout onTimeout) {
        return new VersionSettings(10, 10, SHORT, onTimeout, SHORT);
    }

    private static void sweepUntil(VersionedConsumer consumer, Callable<Boolean> condition) {
        await().atMost(LIMIT).pollInterval(Duration.ofMillis(20)).until(() -> {
            consumer.sweep();
            return condition.call();
        });
    }

    private static Callable<Void> delivery(VersionedConsumer consumer, List<Long> versions) {
        return () -> {
            versions.forEach(consumer::deliver);
            return null;
        };
    }

    private static ReceivedEvent about(String aggregate, long version) {
        return VersionedConsumer.event(
                UUID.randomUUID(),
                Map.of("aggregatetype", "order", "subject", aggregate, "aggregateversion", Long.toString(version)));
    }

    private static IdempotentListener listener(VersionPolicy policy) {
        try {
            return Listeners.class.getDeclaredMethod(policy.name()).getAnnotation(IdempotentListener.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    interface Listeners {

        @IdempotentListener(consumer = "stale", versions = VersionPolicy.SKIP_STALE)
        void SKIP_STALE();

        @IdempotentListener(consumer = "strict", versions = VersionPolicy.STRICT)
        void STRICT();
    }
}
