package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.jdbc.ClaimMode;
import dev.outbox.relay.RelaySettings;
import dev.outbox.testkit.CommittedEvent;
import dev.outbox.testkit.History;
import dev.outbox.testkit.KafkaProcess;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Kafka answers nothing for six seconds; the server ends transactions that are idle for one; the pool has two. */
class SlowBrokerIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofSeconds(6);

    /** Open transactions of the relay's pool whose last statement was a while ago. */
    private static final String IDLE_TRANSACTIONS = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND state LIKE 'idle in transaction%'
              AND state_change < clock_timestamp() - interval '500 milliseconds'
            """;

    private static KafkaProcess broker;

    private final List<CommittedEvent> committed = new ArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private Duration slowest = Duration.ZERO;
    private long idleTransactions;

    @BeforeAll
    static void startBroker() {
        broker = KafkaProcess.start();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @ParameterizedTest
    @EnumSource(ClaimMode.class)
    void requestsGetConnectionsAndNothingIsLostWhileTheBrokerIsSilent(ClaimMode mode) throws Exception {
        TestDatabase database = PostgresServer.shared().createDatabase();
        JdbcClient observer = JdbcClient.create(database.dataSource());
        observer.sql("ALTER DATABASE \"" + database.name() + "\" SET idle_in_transaction_session_timeout = '1s'")
                .update();
        String topic = broker.createTopic("orders", 3);
        try (TestOutbox outbox =
                new TestOutbox(database, TestOutbox.DEFAULT_NAMES, pool -> pool.setMaximumPoolSize(2), true)) {
            outbox.startRelay(
                    settings(),
                    outbox.store(mode, Duration.ofMinutes(2)),
                    outbox.publisher(Map.of("bootstrap.servers", broker.bootstrapServers())),
                    new OutboxListener() {
                        @Override
                        public void cycleFailed(Throwable failure) {
                            failures.add(failure);
                        }
                    });
            append(outbox, topic);
            await().atMost(LIMIT).until(() -> outbox.count("published_at IS NULL") == 0);

            broker.pause();
            long end = System.nanoTime() + PAUSE.toNanos();
            await().atMost(LIMIT).pollInterval(Duration.ofMillis(50)).until(() -> {
                append(outbox, topic);
                idleTransactions +=
                        observer.sql(IDLE_TRANSACTIONS).query(Long.class).single();
                return System.nanoTime() - end > 0;
            });
            broker.resume();

            await().atMost(LIMIT).until(() -> outbox.count("published_at IS NULL") == 0);
            History history = History.of(committed, broker.records(topic), TestOutbox::eventId, TestOutbox::key);
            history.assertClean();
            assertThat(history.repeats()).isZero();
            assertThat(slowest).isLessThan(Duration.ofSeconds(3));
            assertThat(failures).isEmpty();
            assertThat(idleTransactions == 0).isEqualTo(mode == ClaimMode.LEASE);
        }
    }

    /** So few records under way, and tenures so long, that the relay soon has nothing to ask of the database. */
    private static RelaySettings settings() {
        RelaySettings base = TestOutbox.settings(64, 1);
        return new RelaySettings(
                new RelaySettings.Claims(1, 64, Duration.ofSeconds(3)),
                base.flow(),
                base.polling(),
                base.retry(),
                base.parking(),
                base.shutdownTimeout());
    }

    private void append(TestOutbox outbox, String topic) {
        long began = System.nanoTime();
        UUID id = outbox.append(TestOutbox.event(topic, "a").build());
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        slowest = took.compareTo(slowest) > 0 ? took : slowest;
        committed.add(new CommittedEvent(id.toString(), "a", committed.size() + 1));
    }
}
