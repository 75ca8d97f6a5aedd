package dev.outbox.inbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.outbox.inbox.Admission;
import dev.outbox.inbox.AuditEntry;
import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.DeadLetter;
import dev.outbox.inbox.DeadLetterFilter;
import dev.outbox.inbox.Decision;
import dev.outbox.inbox.DecisionResult;
import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.FailedEvent;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.InboxOperations;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.LocalConsumers;
import dev.outbox.inbox.OpenDeadLetters;
import dev.outbox.inbox.PurgeSettings;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.TooManyDeadLettersException;
import dev.outbox.inbox.Verdict;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import dev.outbox.testkit.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** One database for all, in which each test has a consumer of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeadLettersIT {

    private static final TableNames TABLES = InboxSettings.defaults().tables();
    private static final Decision DECISION = new Decision("ada", "INC-4711");
    private final Exception noStock = new IllegalStateException("no stock");
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final InboxDatabase database =
            InboxDatabase.withoutAutoCommit(PostgresServer.shared().createDatabase());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final LocalConsumers consumers = new LocalConsumers();
    private final List<String> observed = new ArrayList<>();
    private final JdbcInbox inbox;
    private final JdbcDeadLetters deadLetters;
    private final InboxOperations operations;
    private int names;
    private long offset;

    DeadLettersIT() {
        JdbcTransactionManager manager = new JdbcTransactionManager(database.pool());
        TransactionPhase phase = new TransactionPhase();
        manager.addListener(phase);
        InboxListener listener = new InboxListener() {
            @Override
            public void processed(String consumer, UUID eventId) {
                observed.add("processed " + eventId);
            }
        };
        inbox = new JdbcInbox(database.pool(), manager, phase, TABLES, List.of());
        deadLetters = new JdbcDeadLetters(database.pool(), manager, phase, TABLES, inbox);
        operations = deadLetters.operations(consumers, List.of(listener));
    }

    @AfterAll
    void close() {
        threads.shutdownNow();
        database.close();
    }

    @Test
    void twoInstancesThatDeadLetterAnEventAtOnceLeaveOneLetterAndItsIdIsTaken() throws Exception {
        FakeConsumer consumer = consumer(false);
        ConsumerRecord<byte[], byte[]> record = record(UUID.randomUUID(), "o-1");

        assertThat(atOnce(4, () -> add(consumer, record))).containsOnlyOnce(true);

        assertThat(list(consumer)).hasSize(1);
        assertThat(arrive(consumer, record).values()).containsExactly(Verdict.DUPLICATE);
    }

    @Test
    void anEventThatWasProcessedIsNotDeadLettered() {
        FakeConsumer consumer = consumer(false);
        ConsumerRecord<byte[], byte[]> record = record(UUID.randomUUID(), "o-1");
        arrive(consumer, record);

        assertThat(add(consumer, record)).isFalse();

        assertThat(list(consumer)).isEmpty();
    }

    @Test
    void whenWhatComesBeforeTheCommitFailsNeitherLetterNorIdStay() {
        FakeConsumer consumer = consumer(false);
        ConsumerRecord<byte[], byte[]> record = record(UUID.randomUUID(), "o-1");

        assertThatThrownBy(() -> deadLetters.add(consumer.name(), failed(record), () -> {
                    throw new IllegalStateException("no topic");
                }))
                .hasMessage("no topic");

        assertThat(list(consumer)).isEmpty();
        assertThat(arrive(consumer, record).values()).containsExactly(Verdict.APPLIED);
    }

    @Test
    void aRecordWithoutIdIsDeadLetteredOncePerPlaceAndTimeAndRedrivenWhenItCanBeRead() {
        FakeConsumer consumer = consumer(false);
        UUID id = UUID.randomUUID();
        ConsumerRecord<byte[], byte[]> record = record(id, "o-1");
        ConsumerRecord<byte[], byte[]> ofANewTopic = at(record, record.timestamp() + 1);
        FailedEvent unreadable = new FailedEvent(record, null, 1, Duration.ZERO, noStock);
        consumer.read(false);

        assertThat(deadLetters.add(consumer.name(), unreadable, () -> {})).isTrue();
        assertThat(deadLetters.add(consumer.name(), unreadable, () -> {})).isFalse();
        assertThat(deadLetters.add(
                        consumer.name(), new FailedEvent(ofANewTopic, null, 1, Duration.ZERO, noStock), () -> {}))
                .isTrue();
        assertThat(redrive(consumer)).isEqualTo(new DecisionResult(0, 2, 0, List.of()));
        assertThat(list(consumer))
                .extracting(letter -> letter.failure().cause())
                .containsOnly("dev.outbox.inbox.PermanentEventException: no id");
        consumer.read(true);

        assertThat(redrive(consumer).count()).isEqualTo(2);
        assertThat(effects(consumer)).as("the second is a repeat of the first").isEqualTo(1);
        assertThat(deadLetters.add(consumer.name(), unreadable, () -> {})).isFalse();
    }

    @Test
    void anythingCanBeDeadLetteredAndComesBackAsItWasAfterTwentyFailedRedrives() {
        FakeConsumer consumer = consumer(false);
        byte[] value = new byte[1_048_000];
        new Random(1).nextBytes(value);
        String nasty = "\u0000\ud800" + "x".repeat(100_000);
        RecordHeaders headers = new RecordHeaders();
        UUID id = UUID.randomUUID();
        headers.add("id", bytes(id.toString()));
        ConsumerRecord<byte[], byte[]> record = record(value, headers);
        EventMetadata metadata = new EventMetadata(
                id,
                Map.of("type", nasty, "subject", nasty, "aggregatetype", nasty, "aggregateversion", "7"),
                FakeConsumer.event(record).metadata().position());
        Exception huge = new IllegalStateException("\u0000" + "y".repeat(1_000_000));
        consumer.handle(event -> {
            throw huge;
        });

        deadLetters.add(consumer.name(), new FailedEvent(record, metadata, 10, Duration.ofHours(1), huge), () -> {});
        for (int redrive = 1; redrive <= 20; redrive++) {
            assertThat(redrive(consumer).failed()).isEqualTo(1);
        }

        DeadLetter letter = list(consumer).get(0);
        assertThat(letter.failure().attempts()).isEqualTo(30);
        assertThat(letter.failure().cause())
                .startsWith("java.lang.IllegalStateException:  yyy")
                .hasSize(1024);
        assertThat(letter.failure().causeType()).isEqualTo("java.lang.IllegalStateException");
        assertThat(Duration.between(letter.failure().first(), letter.failure().last()))
                .isGreaterThanOrEqualTo(Duration.ofHours(1));
        assertThat(letter.event().type()).startsWith(" ?xxx").hasSize(1024);
        assertThat(operations.deadLetters(
                        DeadLetterFilter.builder().aggregate(nasty, nasty).build(), 0, 10))
                .containsExactly(letter);
        List<ConsumerRecord<byte[], byte[]>> seen = new ArrayList<>();
        consumer.handle(event -> seen.add(event.record()));
        assertThat(redrive(consumer).count()).isEqualTo(1);
        assertThat(seen).hasSize(1);
        assertThat(seen.get(0).value()).isEqualTo(value);
        assertThat(seen.get(0).headers()).isEqualTo(headers);
        assertThat(effects(consumer)).isEqualTo(1);
    }

    @Test
    void operatorsWhoRedriveTheSameLettersAtOnceApplyEachOnce() throws Exception {
        FakeConsumer consumer = consumer(false);
        for (int event = 0; event < 20; event++) {
            add(consumer, record(UUID.randomUUID(), event % 2 == 0 ? "o-" + event : null));
        }
        observed.clear();

        List<DecisionResult> results = atOnce(3, () -> redrive(consumer));

        assertThat(results.stream().mapToLong(DecisionResult::count).sum()).isEqualTo(20);
        assertThat(results).allMatch(result -> result.failed() == 0);
        assertThat(effects(consumer)).isEqualTo(20);
        assertThat(observed).hasSize(20);
        assertThat(list(consumer)).isEmpty();
        assertThat(redrive(consumer)).isEqualTo(new DecisionResult(0, 0, 0, List.of()));
    }

    @Test
    void aFilterNamesWhatIsDecidedAPreviewWritesNothingAndTheAuditSaysWhoAndWhy() {
        FakeConsumer consumer = consumer(false);
        add(consumer, record(UUID.randomUUID(), "o-1"));
        add(consumer, record(UUID.randomUUID(), "o-2"));
        long first = list(consumer).get(0).id();
        DeadLetterFilter one = DeadLetterFilter.builder()
                .consumer(consumer.name().value())
                .topic("orders.v1")
                .eventType("order.confirmed")
                .aggregate("order", "o-1")
                .causeType("java.lang.IllegalStateException")
                .failedBetween(
                        list(consumer).get(0).failure().first(),
                        list(consumer).get(0).failure().first().plusSeconds(60))
                .build();

        assertThat(operations.previewRedrive(one)).isEqualTo(new DecisionResult(1, 0, 0, List.of(first)));
        assertThat(operations.previewDiscard(one)).isEqualTo(new DecisionResult(1, 0, 0, List.of(first)));
        assertThat(list(consumer)).hasSize(2);
        assertThatExceptionOfType(TooManyDeadLettersException.class)
                .isThrownBy(() -> operations.discard(
                        DeadLetterFilter.builder()
                                .consumer(consumer.name().value())
                                .atMost(1)
                                .build(),
                        DECISION));
        assertThatThrownBy(() -> operations.discard(DeadLetterFilter.ALL, DECISION))
                .hasMessageContaining("no criterion");
        assertThat(operations.discard(one, DECISION)).isEqualTo(new DecisionResult(1, 0, 0, List.of(first)));
        assertThat(redrive(consumer).count()).isEqualTo(1);

        assertThat(operations.audit(AuditEntry.NEWEST, 2))
                .extracting(AuditEntry::action, AuditEntry::actor, AuditEntry::reason)
                .containsExactly(tuple("redrive", "ada", "INC-4711"), tuple("discard", "ada", "INC-4711"));
        assertThat(operations.audit(AuditEntry.NEWEST, 2).get(1).ids()).containsExactly(first);
        assertThat(effects(consumer)).isEqualTo(1);
    }

    @Test
    void aConsumerThatIsNotHereIsRefusedByNameBeforeAnythingIsDone() {
        FakeConsumer here = consumer(false);
        FakeConsumer elsewhere = new FakeConsumer("elsewhere", false, database.pool());
        add(here, record(UUID.randomUUID(), "o-1"));
        add(elsewhere, record(UUID.randomUUID(), "o-1"));

        DeadLetterFilter both = DeadLetterFilter.ofIds(
                list(here).get(0).id(), list(elsewhere).get(0).id());
        assertThatThrownBy(() -> operations.redrive(both, DECISION))
                .hasMessageContaining("'elsewhere' is not in this application")
                .hasMessageContaining(here.name().value());

        assertThat(here.applied()).isEmpty();
        assertThat(operations
                        .discard(
                                DeadLetterFilter.builder().consumer("elsewhere").build(), DECISION)
                        .count())
                .isEqualTo(1);
    }

    @Test
    void laterEventsOfAParkedAggregateWaitAndFollowInOrderUpToTheFirstThatFails() {
        FakeConsumer consumer = consumer(true);
        List<UUID> ids = ids(4);
        add(consumer, record(ids.get(0), "o-1"));

        assertThat(arrive(
                                consumer,
                                record(ids.get(1), "o-1"),
                                record(UUID.randomUUID(), "o-2"),
                                record(ids.get(2), "o-1"),
                                record(UUID.randomUUID(), null))
                        .values())
                .containsExactly(Verdict.BEHIND, Verdict.APPLIED, Verdict.BEHIND, Verdict.APPLIED);
        consumer.applied().clear();
        consumer.handle(event -> failOn(ids.get(1), event));
        assertThat(operations.previewRedrive(of(consumer)).count()).isEqualTo(1);
        DecisionResult stopped = redrive(consumer);

        assertThat(stopped.count()).isEqualTo(1);
        assertThat(stopped.failed()).isEqualTo(1);
        assertThat(list(consumer))
                .extracting(DeadLetter::state)
                .containsExactly(DeadLetter.State.DEAD, DeadLetter.State.WAITING);
        assertThat(arrive(consumer, record(ids.get(3), "o-1")).values()).containsExactly(Verdict.BEHIND);
        consumer.handle(event -> {});
        assertThat(redrive(consumer).count()).isEqualTo(3);
        assertThat(consumer.applied()).containsExactly(ids.get(0), ids.get(1), ids.get(1), ids.get(2), ids.get(3));
        assertThat(arrive(consumer, record(UUID.randomUUID(), "o-1")).values()).containsExactly(Verdict.APPLIED);
    }

    @Test
    void aDeadLetterBehindAnotherOneOfAParkedAggregateIsPassedOverUntilThatIsDecided() {
        FakeConsumer consumer = consumer(true);
        List<UUID> ids = ids(3);
        add(consumer, record(ids.get(0), "o-1"));
        arrive(consumer, record(ids.get(1), "o-1"));
        add(consumer, record(ids.get(2), "o-1"));
        long last = list(consumer).get(2).id();

        assertThat(operations.redrive(DeadLetterFilter.ofIds(last), DECISION))
                .isEqualTo(new DecisionResult(0, 0, 1, List.of()));

        assertThat(redrive(consumer).count()).isEqualTo(3);
        assertThat(consumer.applied()).isEqualTo(ids);
    }

    @Test
    void aDiscardLetsWhatWaitsGoOnAndWhereTheConsumerIsNotTheFirstOfItBecomesDead() {
        FakeConsumer consumer = consumer(true);
        FakeConsumer elsewhere = new FakeConsumer("not-here", true, database.pool());
        List<UUID> ids = ids(3);
        for (FakeConsumer each : List.of(consumer, elsewhere)) {
            add(each, record(ids.get(0), "o-1"));
            arrive(each, record(ids.get(1), "o-1"), record(ids.get(2), "o-1"));
        }

        assertThat(operations.discard(firstOf(consumer), DECISION).count()).isEqualTo(3);
        assertThat(operations.discard(firstOf(elsewhere), DECISION).count()).isEqualTo(1);

        assertThat(consumer.applied()).containsExactly(ids.get(1), ids.get(2));
        assertThat(list(consumer)).isEmpty();
        assertThat(list(elsewhere))
                .extracting(DeadLetter::state)
                .containsExactly(DeadLetter.State.DEAD, DeadLetter.State.WAITING);
        assertThat(list(elsewhere).get(0).failure().cause()).contains("was discarded; not tried yet");
        assertThat(arrive(consumer, record(ids.get(0), "o-1")).values()).containsExactly(Verdict.DUPLICATE);
    }

    @Test
    void anEventThatArrivesWhileTheLastLetterOfItsAggregateIsRedrivenComesAfterItAndWaitsForNothing() throws Exception {
        FakeConsumer consumer = consumer(true);
        List<UUID> ids = ids(2);
        add(consumer, record(ids.get(0), "o-1"));
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        consumer.handle(event -> {
            entered.countDown();
            assertThat(leave.await(30, TimeUnit.SECONDS)).isTrue();
        });

        Future<DecisionResult> redrive = threads.submit(() -> redrive(consumer));
        assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
        Future<Map<UUID, Verdict>> arrival = threads.submit(() -> arrive(consumer, record(ids.get(1), "o-1")));
        await().atMost(LIMIT)
                .until(() -> database.count("SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database"
                                + " WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()")
                        == 1);
        leave.countDown();

        assertThat(redrive.get().count()).isEqualTo(1);
        assertThat(arrival.get().values()).containsExactly(Verdict.APPLIED);
        assertThat(consumer.applied()).isEqualTo(ids);
        assertThat(list(consumer)).isEmpty();
    }

    @Test
    void thePurgeForgetsNoEventWhoseLetterIsOpenAndARedriveBeginsItsWindowAnew() {
        FakeConsumer consumer = consumer(false);
        List<UUID> ids = ids(2);
        ids.forEach(id -> add(consumer, record(id, "o-1")));
        arrive(consumer, record(UUID.randomUUID(), "o-1"));
        String mine = " WHERE consumer = '" + consumer.name() + "'";
        database.execute("UPDATE inbox_processed SET processed_at = now() - interval '9 days'" + mine);
        InboxPurge purge = new InboxPurge(
                database.pool(),
                TABLES,
                new PurgeSettings(Duration.ofDays(8), Duration.ofMinutes(1), 1_000),
                Duration.ofDays(90),
                () -> true);

        purge.purgeNow();
        assertThat(database.count("SELECT count(*) FROM inbox_processed" + mine))
                .isEqualTo(2);
        operations.redrive(firstOf(consumer), DECISION);
        operations.discard(firstOf(consumer), DECISION);
        purge.purgeNow();
        assertThat(database.count("SELECT count(*) FROM inbox_processed" + mine))
                .isEqualTo(2);

        database.execute("UPDATE inbox_dead_letter SET decided_at = now() - interval '91 days' WHERE id = ("
                + "SELECT min(id) FROM inbox_dead_letter" + mine + ")");
        long audited = database.count("SELECT count(*) FROM inbox_audit");
        purge.purgeNow();
        assertThat(database.count("SELECT count(*) FROM inbox_dead_letter" + mine))
                .isEqualTo(1);
        assertThat(database.count("SELECT count(*) FROM inbox_audit")).isEqualTo(audited);
    }

    @Test
    void anEventThatIsKeptForLaterBecomesDeadInItsOwnTransactionAndIsCounted() {
        FakeConsumer consumer = consumer(false);
        ConsumerRecord<byte[], byte[]> record = record(new UUID(0xfff, 0xfff), "o-1");
        inbox.process(consumer.name(), List.of(new UUID(0xfff, 0xfff)), fresh -> {
            deadLetters.addRecorded(consumer.name(), failed(record));
            return Map.of(new UUID(0xfff, 0xfff), Verdict.DEAD_LETTERED);
        });

        DeadLetterQueries queries = new DeadLetterQueries(database.pool(), TABLES);
        assertThat(queries.anyBetween(new UUID(0xfff, 0), new UUID(0x1000, 0))).isTrue();
        assertThat(queries.anyBetween(new UUID(0xffe, 0), new UUID(0xfff, 0))).isFalse();
        OpenDeadLetters open = queries.byConsumer().stream()
                .filter(each -> each.consumer().equals(consumer.name()))
                .findFirst()
                .orElseThrow();
        assertThat(open.count()).isEqualTo(1);
        assertThat(open.oldestAge()).isBetween(Duration.ofSeconds(5), Duration.ofMinutes(5));
        assertThat(redrive(consumer).count()).isEqualTo(1);
    }

    private FakeConsumer consumer(boolean parks) {
        FakeConsumer consumer = new FakeConsumer("consumer-" + names++, parks, database.pool());
        consumers.add(consumer);
        return consumer;
    }

    /** Delivers records as one batch, as a listener would. */
    @SafeVarargs
    private Map<UUID, Verdict> arrive(FakeConsumer consumer, ConsumerRecord<byte[], byte[]>... records) {
        Map<UUID, ReceivedEvent> events = new LinkedHashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            ReceivedEvent event = FakeConsumer.event(record);
            events.put(event.metadata().eventId(), event);
        }
        Admission park = deadLetters.parkAggregate();
        ConsumerName name = consumer.name();
        return inbox.process(name, List.copyOf(events.keySet()), fresh -> {
            Map<UUID, Verdict> verdicts = new LinkedHashMap<>();
            fresh.forEach(id -> {
                ReceivedEvent event = Objects.requireNonNull(events.get(id));
                Verdict verdict = consumer.parksAggregates() ? park.admit(name, event) : Verdict.APPLIED;
                if (verdict == Verdict.APPLIED) {
                    consumer.applied().add(id);
                }
                verdicts.put(id, verdict);
            });
            return verdicts;
        });
    }

    private boolean add(FakeConsumer consumer, ConsumerRecord<byte[], byte[]> record) {
        return deadLetters.add(consumer.name(), failed(record), () -> {});
    }

    private FailedEvent failed(ConsumerRecord<byte[], byte[]> record) {
        return new FailedEvent(record, FakeConsumer.event(record).metadata(), 3, Duration.ofSeconds(5), noStock);
    }

    private DecisionResult redrive(FakeConsumer consumer) {
        return operations.redrive(of(consumer), DECISION);
    }

    private List<DeadLetter> list(FakeConsumer consumer) {
        return operations.deadLetters(of(consumer), 0, 100);
    }

    private static DeadLetterFilter of(FakeConsumer consumer) {
        return DeadLetterFilter.builder().consumer(consumer.name().value()).build();
    }

    private DeadLetterFilter firstOf(FakeConsumer consumer) {
        return DeadLetterFilter.ofIds(list(consumer).get(0).id());
    }

    private long effects(FakeConsumer consumer) {
        return database.count("SELECT count(*) FROM effect WHERE consumer = '" + consumer.name() + "'");
    }

    private <T> List<T> atOnce(int number, Callable<T> call) throws Exception {
        List<T> results = new ArrayList<>();
        for (Future<T> result : threads.invokeAll(Collections.nCopies(number, call))) {
            results.add(result.get());
        }
        return results;
    }

    private static void failOn(UUID id, ReceivedEvent event) {
        if (event.metadata().eventId().equals(id)) {
            throw new IllegalStateException("not yet");
        }
    }

    private static List<UUID> ids(int number) {
        return Stream.generate(UUID::randomUUID).limit(number).toList();
    }

    private ConsumerRecord<byte[], byte[]> record(UUID id, @Nullable String aggregateId) {
        RecordHeaders headers = new RecordHeaders();
        headers.add("id", bytes(id.toString()));
        headers.add("type", bytes("order.confirmed"));
        headers.add("aggregatetype", bytes("order"));
        if (aggregateId != null) {
            headers.add("subject", bytes(aggregateId));
        }
        return record(new byte[] {1}, headers);
    }

    private ConsumerRecord<byte[], byte[]> record(byte[] value, RecordHeaders headers) {
        return new ConsumerRecord<>(
                "orders.v1",
                0,
                offset++,
                1_000,
                TimestampType.CREATE_TIME,
                1,
                value.length,
                new byte[] {7},
                value,
                headers,
                Optional.empty());
    }

    private static ConsumerRecord<byte[], byte[]> at(ConsumerRecord<byte[], byte[]> record, long timestamp) {
        return new ConsumerRecord<>(
                record.topic(),
                record.partition(),
                record.offset(),
                timestamp,
                TimestampType.CREATE_TIME,
                1,
                1,
                record.key(),
                record.value(),
                record.headers(),
                Optional.empty());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
