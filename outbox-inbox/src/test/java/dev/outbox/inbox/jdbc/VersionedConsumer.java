package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.Admission;
import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.EarlyBacklog;
import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.FailedEvent;
import dev.outbox.inbox.FailureText;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.LocalConsumer;
import dev.outbox.inbox.LocalConsumers;
import dev.outbox.inbox.PermanentEventException;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.RecordPosition;
import dev.outbox.inbox.RetrySettings;
import dev.outbox.inbox.Verdict;
import dev.outbox.inbox.VersionSettings;
import dev.outbox.postgresql.TransactionPhase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** One instance of a consumer that goes by versions, on a database that may have others; its effects are versions. */
final class VersionedConsumer {

    static final RetrySettings RETRY = new RetrySettings(3, Duration.ofMillis(1), Duration.ofMillis(1));

    private static final RecordPosition POSITION = new RecordPosition("orders.v1", 0, 7);

    private final ConsumerName name;
    private final JdbcClient jdbc;
    private final Inbox inbox;
    private final InboxVersions versions;
    private final Admission admission;
    private final TransactionTemplate transaction;
    private LongConsumer behaviour = version -> {};
    private volatile EarlyBacklog backlog = new EarlyBacklog(0, Duration.ZERO);

    VersionedConsumer(InboxDatabase database, String name, IdempotentListener listener, VersionSettings settings) {
        this.name = new ConsumerName(name);
        this.jdbc = JdbcClient.create(database.pool());
        JdbcTransactionManager manager = new JdbcTransactionManager(database.pool());
        TransactionPhase phase = new TransactionPhase();
        manager.addListener(phase);
        this.transaction = new TransactionTemplate(manager);
        InboxSettings defaults = InboxSettings.defaults();
        this.inbox = new JdbcInbox(database.pool(), manager, phase, defaults.tables(), List.of());
        LocalConsumers consumers = new LocalConsumers();
        consumers.add(new Local());
        this.versions = InboxVersions.builder(database.pool(), manager, phase)
                .inbox(new InboxSettings(
                        defaults.tables(),
                        defaults.eventIdHeader(),
                        RETRY,
                        defaults.deadLetters(),
                        defaults.purge(),
                        defaults.window()))
                .settings(settings)
                .localConsumers(consumers)
                .deadLetters(this::addDeadLetter)
                .listeners(List.of(new Observer()))
                .build();
        this.admission = versions.of(this.name, listener).get(0);
    }

    static void createTables(InboxDatabase database) {
        database.execute(
                "CREATE TABLE applied (seq bigint GENERATED ALWAYS AS IDENTITY, consumer text, version bigint)");
        database.execute("CREATE TABLE dead (consumer text, cause text, attempts int)");
    }

    /** Has the handler do this with each version that it applies. */
    VersionedConsumer behaving(LongConsumer behaviour) {
        this.behaviour = behaviour;
        return this;
    }

    /** Delivers an event of the only aggregate, and what the consuming thread does after the commit. */
    Verdict deliver(long version) {
        return deliver(event(version));
    }

    Verdict deliver(ReceivedEvent event) {
        Verdict verdict =
                Objects.requireNonNull(take(event).get(event.metadata().eventId()));
        admission.committed(name, event, verdict);
        return verdict;
    }

    /** Delivers events in one transaction, and dies after the commit. */
    Map<UUID, Verdict> take(ReceivedEvent... events) {
        List<UUID> ids =
                Arrays.stream(events).map(event -> event.metadata().eventId()).toList();
        return inbox.process(name, ids, fresh -> {
            Map<UUID, Verdict> verdicts = new LinkedHashMap<>();
            for (ReceivedEvent event : events) {
                if (fresh.contains(event.metadata().eventId())) {
                    verdicts.put(event.metadata().eventId(), apply(event));
                }
            }
            return verdicts;
        });
    }

    void discard(long version) {
        transaction.executeWithoutResult(status -> admission.discarded(name, event(version)));
    }

    void sweep() {
        versions.sweeper(() -> true).sweepNow();
    }

    EarlyBacklog backlog() {
        return backlog;
    }

    /** Returns the versions that were applied, in the order of their effects. */
    List<Long> applied() {
        return jdbc.sql("SELECT version FROM applied WHERE consumer = ? ORDER BY seq")
                .param(name.value())
                .query(Long.class)
                .list();
    }

    long kept() {
        return jdbc.sql("SELECT count(*) FROM inbox_early_event WHERE consumer = ?")
                .param(name.value())
                .query(Long.class)
                .single();
    }

    /** Returns attempts and cause of each dead letter. */
    List<String> dead() {
        return jdbc.sql("SELECT attempts || ' ' || cause FROM dead WHERE consumer = ? ORDER BY cause")
                .param(name.value())
                .query(String.class)
                .list();
    }

    /** The same event on every call: its id is derived from the version. */
    ReceivedEvent event(long version) {
        return event(version, UUID.nameUUIDFromBytes((name + " " + version).getBytes(StandardCharsets.UTF_8)));
    }

    ReceivedEvent event(long version, UUID id) {
        return event(
                id, Map.of("aggregatetype", "order", "subject", "o-1", "aggregateversion", Long.toString(version)));
    }

    static ReceivedEvent event(UUID id, Map<String, String> attributes) {
        ConsumerRecord<byte[], byte[]> record =
                new ConsumerRecord<>("orders.v1", 0, 7, new byte[] {0, -1}, new byte[] {1, 0});
        new HashMap<>(attributes)
                .forEach((key, value) -> record.headers().add(key, value.getBytes(StandardCharsets.UTF_8)));
        record.headers().add("nothing", null);
        return new ReceivedEvent(new EventMetadata(id, attributes, POSITION), record);
    }

    private Verdict apply(ReceivedEvent event) {
        Verdict verdict = admission.admit(name, event);
        if (verdict == Verdict.APPLIED) {
            long version = versionOf(event.record());
            jdbc.sql("INSERT INTO applied (consumer, version) VALUES (?, ?)")
                    .params(name.value(), version)
                    .update();
            behaviour.accept(version);
        }
        return verdict;
    }

    private static long versionOf(ConsumerRecord<byte[], byte[]> record) {
        return Long.parseLong(
                new String(record.headers().lastHeader("aggregateversion").value(), StandardCharsets.UTF_8));
    }

    private void addDeadLetter(ConsumerName consumer, FailedEvent event) {
        jdbc.sql("INSERT INTO dead (consumer, cause, attempts) VALUES (?, ?, ?)")
                .params(
                        consumer.value(),
                        FailureText.trim(String.valueOf(event.cause().getMessage())),
                        event.attempts())
                .update();
    }

    private final class Local implements LocalConsumer {

        @Override
        public ConsumerName name() {
            return name;
        }

        @Override
        public ReceivedEvent read(ConsumerRecord<byte[], byte[]> record) {
            return event(versionOf(record));
        }

        @Override
        public Verdict apply(ReceivedEvent event) {
            return VersionedConsumer.this.apply(event);
        }

        @Override
        public void committed(ReceivedEvent event, Verdict verdict) {
            throw new IllegalStateException("the hook would call its caller");
        }

        @Override
        public boolean parksAggregates() {
            return false;
        }

        @Override
        public void discarded(ReceivedEvent event) {
            admission.discarded(name, event);
        }

        @Override
        public boolean isTransient(Throwable failure) {
            return failure instanceof TransientDataAccessResourceException;
        }

        @Override
        public boolean isPermanent(Throwable failure) {
            return failure instanceof PermanentEventException;
        }
    }

    private final class Observer implements InboxListener {

        @Override
        public void earlyEvents(String consumer, @Nullable EarlyBacklog waiting) {
            backlog = Objects.requireNonNull(waiting);
        }
    }
}
