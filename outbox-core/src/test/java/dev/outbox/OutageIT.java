package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.relay.RelaySettings;
import dev.outbox.testkit.KafkaProcess;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The broker is gone for longer than all attempts would take. */
class OutageIT {

    private static final int RECORDS = 500;
    private static final Duration OUTAGE = Duration.ofSeconds(5);
    private static final Duration UNAVAILABLE_DELAY = Duration.ofSeconds(2);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** All attempts together take less than a second. */
    private static final RelaySettings.Retry RETRY =
            new RelaySettings.Retry(3, Duration.ofMillis(20), Duration.ofMillis(100), UNAVAILABLE_DELAY);

    private static KafkaProcess kafka;

    private final TestOutbox outbox = new TestOutbox();

    @BeforeAll
    static void start() {
        kafka = KafkaProcess.start();
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    @AfterEach
    void close() throws Exception {
        outbox.close();
    }

    @Test
    void aKilledBrokerParksNothingAndCostsNoAttemptAndFewWrites() {
        survives(kafka::kill, kafka::restart);
    }

    @Test
    void aFrozenBrokerParksNothingAndCostsNoAttemptAndFewWrites() {
        survives(kafka::pause, kafka::resume);
    }

    private void survives(Runnable begin, Runnable end) {
        String topic = kafka.createTopic("orders", 3);
        countWrites();
        outbox.startRelay(settings(), outbox.store(), outbox.publisher(quick()));
        outbox.append(TestOutbox.event(topic, "before").build());
        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NOT NULL") == 1);

        begin.run();
        long writesBefore = writes();
        outbox.transaction.executeWithoutResult(status -> {
            for (int i = 0; i < RECORDS; i++) {
                outbox.writer.append(TestOutbox.event(topic, "a" + i).build());
            }
        });
        await().atMost(LIMIT).until(() -> outbox.store().backlog().oldestAge().compareTo(OUTAGE) > 0);
        assertThat(outbox.count("last_error IS NOT NULL")).isEqualTo(RECORDS);
        assertThat(outbox.count("published_at IS NOT NULL")).isEqualTo(1);
        assertThat(outbox.count("parked_at IS NOT NULL OR attempts > 0")).isZero();
        // Each record is put off when it fails, and again at each rare look, by at least half of the delay.
        assertThat(writes() - writesBefore).isLessThan(RECORDS * (2 + 2 * OUTAGE.dividedBy(UNAVAILABLE_DELAY)));

        end.run();
        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NULL") == 0);
        assertThat(outbox.count("attempts > 0")).isZero();
        assertThat(kafka.records(topic)).extracting(TestOutbox::eventId).doesNotContainNull();
        assertThat(kafka.records(topic).stream().map(TestOutbox::eventId).distinct())
                .hasSize(RECORDS + 1);
    }

    private void countWrites() {
        outbox.jdbc
                .sql("CREATE SEQUENCE writes;"
                        + " CREATE FUNCTION count_write() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN PERFORM nextval(''writes''); RETURN NULL; END';"
                        + " CREATE TRIGGER count_write AFTER UPDATE ON outbox_delivery"
                        + " FOR EACH ROW EXECUTE FUNCTION count_write()")
                .update();
    }

    private long writes() {
        return outbox.jdbc
                .sql("SELECT last_value FROM writes")
                .query(Long.class)
                .single();
    }

    private static Map<String, Object> quick() {
        return Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "delivery.timeout.ms",
                2_000,
                "request.timeout.ms",
                1_000,
                "max.block.ms",
                1_000);
    }

    private static RelaySettings settings() {
        RelaySettings quick = TestOutbox.settings(64, 1_000);
        return new RelaySettings(
                quick.claims(), quick.flow(), quick.polling(), RETRY, quick.parking(), quick.shutdownTimeout());
    }
}
