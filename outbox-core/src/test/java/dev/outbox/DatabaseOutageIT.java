package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.jdbc.ClaimMode;
import dev.outbox.relay.Relay;
import dev.outbox.testkit.CommittedEvent;
import dev.outbox.testkit.History;
import dev.outbox.testkit.KafkaBroker;
import dev.outbox.testkit.PostgresOptions;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.RestartablePostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The database goes away and comes back under a relay, which nobody restarts. */
class DatabaseOutageIT {

    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final int BATCH = 10;
    private static final int IN_FLIGHT = 5 * BATCH;

    private static RestartablePostgres server;

    private final KafkaBroker kafka = KafkaBroker.shared();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final OutboxListener listener = new OutboxListener() {
        @Override
        public void cycleFailed(Throwable failure) {
            failures.add(failure);
        }
    };
    private String topic;
    private TestOutbox outbox;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.start(PostgresOptions.fast());
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void open() {
        topic = kafka.createTopic("orders", 3);
        outbox = new TestOutbox(
                server.createDatabase(), TestOutbox.DEFAULT_NAMES, pool -> pool.setConnectionTimeout(1_000), true);
    }

    @AfterEach
    void close() throws Exception {
        outbox.close();
    }

    @ParameterizedTest
    @EnumSource(ClaimMode.class)
    void resumesByItselfAndWithoutAFloodAfterTheDatabaseWasGone(ClaimMode mode) {
        Relay relay = start(mode, outbox.publisher(Map.of()));
        List<CommittedEvent> committed = append(300);
        try (Alerts alerts = new Alerts()) {
            server.stopImmediate();
            long stopped = System.nanoTime();
            await().atMost(LIMIT).until(() -> failures.size() >= 3);
            assertThat(relay.status().failure()).isNotNull();
            assertThat(relay.status().failingFor()).isPositive();
            int passes = failures.size();
            double seconds = (System.nanoTime() - stopped) / 1e9;

            assertThat(passes).isLessThan((int) (2 + 2 * seconds));
            assertThat(alerts.stackTraces()).isLessThanOrEqualTo(1);
            // A line for each failed pass, and some that tell of renewals which failed.
            assertThat(alerts.count()).isLessThan((int) (passes + 3 + seconds));
        }
        server.start();

        await().atMost(LIMIT).until(() -> deliveries("published_at IS NULL") == 0);
        History history = History.of(committed, kafka.records(topic), TestOutbox::eventId, TestOutbox::key);
        history.assertClean();
        assertThat(history.repeats()).isLessThanOrEqualTo(2 * IN_FLIGHT);
        await().until(() -> relay.status().failure() == null);
    }

    @ParameterizedTest
    @EnumSource(ClaimMode.class)
    void whatWasAcknowledgedIsMarkedOnAnotherConnectionWhenTheBackendsWereTerminated(ClaimMode mode) {
        HeldAcknowledgements held = new HeldAcknowledgements(outbox.publisher(Map.of()));
        UUID id = outbox.append(TestOutbox.event(topic, "1").build());
        start(mode, held);
        await().atMost(LIMIT).until(() -> held.count() == 1);
        server.terminateBackends(outbox.database.name());
        held.release();

        await().atMost(Duration.ofSeconds(30)).until(() -> deliveries("published_at IS NOT NULL") == 1);
        assertThat(publishedIds()).containsOnly(id.toString()).hasSizeLessThanOrEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(ClaimMode.class)
    void marksThatAReadOnlyServerRefusesAreMadeUpForWhenItTakesThem(ClaimMode mode) throws SQLException {
        HeldAcknowledgements held = new HeldAcknowledgements(outbox.publisher(Map.of()));
        UUID id = outbox.append(TestOutbox.event(topic, "1").build());
        start(mode, held);
        await().atMost(LIMIT).until(() -> held.count() == 1);
        makeReadOnly("on");
        held.release();
        await().atMost(LIMIT).until(() -> failures.stream().anyMatch(DatabaseOutageIT::isReadOnly));
        assertThat(deliveries("published_at IS NULL AND parked_at IS NULL AND attempts = 0"))
                .isEqualTo(1);
        makeReadOnly("off");

        await().atMost(LIMIT).until(() -> deliveries("published_at IS NOT NULL") == 1);
        assertThat(publishedIds()).containsOnly(id.toString()).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void errorsOfStorePublisherAndListenerEndNoWorker() {
        List<String> thrown = new CopyOnWriteArrayList<>();
        DeliveryStore store = new FailingWrites(outbox.store(), () -> throwOnce(thrown, "store"));
        EventPublisher publisher = new FailingPublisher(outbox.publisher(Map.of()), delivery -> {
            throwOnce(thrown, "publisher");
            return null;
        });
        Relay relay = outbox.startRelay(TestOutbox.settings(64, BATCH), store, publisher, new OutboxListener() {
            @Override
            public void published(Delivery delivery) {
                throwOnce(thrown, "published");
            }

            @Override
            public void cycleFailed(Throwable failure) {
                throwOnce(thrown, "cycleFailed");
            }
        });
        append(30);

        await().atMost(Duration.ofSeconds(30)).until(() -> deliveries("published_at IS NULL") == 0);
        assertThat(thrown).containsExactlyInAnyOrder("publisher", "cycleFailed", "store", "published");
        append(1);
        await().atMost(LIMIT).until(() -> deliveries("published_at IS NULL") == 0);
        assertThat(relay.status().workers()).isEqualTo(1);
    }

    @Test
    void leasesAndMarksAreDurableInAPoolWithoutAutoCommit() throws Exception {
        outbox.close();
        outbox = new TestOutbox(
                server.createDatabase(), TestOutbox.DEFAULT_NAMES, pool -> pool.setAutoCommit(false), true);
        HeldAcknowledgements held = new HeldAcknowledgements(outbox.publisher(Map.of()));
        Relay relay = start(ClaimMode.LEASE, held);
        append(3);
        await().atMost(LIMIT).until(() -> held.count() == 3);
        assertThat(count("outbox_lane", "leased_until > now()")).isPositive();
        held.release();

        await().atMost(LIMIT).until(() -> deliveries("published_at IS NOT NULL") == 3);
        relay.stop();
        assertThat(count("outbox_lane", "owner IS NOT NULL")).isZero();
        assertThat(kafka.records(topic)).hasSize(3);
    }

    private Relay start(ClaimMode mode, EventPublisher publisher) {
        return outbox.startRelay(
                TestOutbox.settings(64, BATCH), outbox.store(mode, Duration.ofMinutes(2)), publisher, listener);
    }

    private List<CommittedEvent> append(int count) {
        List<CommittedEvent> committed = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String aggregate = "a" + i % 20;
            UUID id = outbox.append(TestOutbox.event(topic, aggregate).build());
            committed.add(new CommittedEvent(id.toString(), aggregate, 1 + i / 20));
        }
        return committed;
    }

    private List<String> publishedIds() {
        return kafka.records(topic).stream().map(DatabaseOutageIT::id).toList();
    }

    private static String id(ConsumerRecord<byte[], byte[]> record) {
        return String.valueOf(TestOutbox.eventId(record));
    }

    private long deliveries(String condition) throws SQLException {
        return count("outbox_delivery", condition);
    }

    /** As seen from outside of the pool, which may have broken connections. */
    private long count(String table, String condition) throws SQLException {
        try (Connection connection = outbox.database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                var result = statement.executeQuery("SELECT count(*) FROM " + table + " WHERE " + condition)) {
            result.next();
            return result.getLong(1);
        }
    }

    private void makeReadOnly(String value) throws SQLException {
        try (Connection connection = outbox.database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET default_transaction_read_only = off");
            statement.execute(
                    "ALTER DATABASE \"" + outbox.database.name() + "\" SET default_transaction_read_only = " + value);
        }
        server.terminateBackends(outbox.database.name());
    }

    private static boolean isReadOnly(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && "25006".equals(sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private static void throwOnce(List<String> thrown, String place) {
        if (!thrown.contains(place)) {
            thrown.add(place);
            throw new StackOverflowError(place);
        }
    }
}
