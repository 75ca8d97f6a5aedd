package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.jdbc.ClaimMode;
import dev.outbox.relay.Relay;
import dev.outbox.relay.RelaySettings;
import dev.outbox.testkit.KafkaBroker;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A stop while records are under way. */
class RelayStopIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final String FREE_LANES = """
            SELECT count(*) FROM (SELECT FROM outbox_lane
                                  WHERE leased_until IS NULL AND owner IS NULL FOR UPDATE SKIP LOCKED) free
            """;

    private final KafkaBroker kafka = KafkaBroker.shared();
    private final TestOutbox outbox = new TestOutbox();
    private final HeldAcknowledgements held = new HeldAcknowledgements(outbox.publisher(Map.of()));

    @AfterEach
    void close() throws Exception {
        outbox.close();
    }

    @ParameterizedTest
    @EnumSource(ClaimMode.class)
    void awaitsTheAcknowledgementsMarksAndGivesTheLanesBack(ClaimMode mode) throws Exception {
        Relay relay = startAndHold(mode, Duration.ofSeconds(20));
        CompletableFuture<Void> stop = CompletableFuture.runAsync(relay::stop);
        await().during(Duration.ofMillis(500)).until(() -> !stop.isDone());
        outbox.append(TestOutbox.event(topicOfTheFirst(), "late").build());
        held.release();

        stop.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(outbox.count("published_at IS NOT NULL")).isEqualTo(3);
        assertThat(outbox.count("published_at IS NULL AND aggregate_id = 'late'"))
                .isEqualTo(1);
        assertThat(freeLanes()).isEqualTo(Aggregate.LANES);
    }

    @ParameterizedTest
    @EnumSource(ClaimMode.class)
    void isBoundedAndGivesTheLanesBackWhenNoAcknowledgementComes(ClaimMode mode) {
        Relay relay = startAndHold(mode, Duration.ofSeconds(1));
        long began = System.nanoTime();
        relay.stop();

        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isBetween(Duration.ofMillis(900), Duration.ofSeconds(1).plus(Relay.RELEASE_LIMIT));
        assertThat(relay.status().workers()).isZero();
        assertThat(outbox.count("published_at IS NOT NULL")).isZero();
        assertThat(freeLanes()).isEqualTo(Aggregate.LANES);
    }

    @ParameterizedTest
    @EnumSource(ClaimMode.class)
    void marksWhatIsAcknowledgedAlsoWhenItHasGivenUpWaitingForTheRest(ClaimMode mode) {
        String topic = kafka.createTopic("orders", 1);
        EventPublisher publisher = new EventPublisher() {
            @Override
            public void publish(Delivery delivery, Callback callback) {
                if (!delivery.event().aggregate().id().equals("held")) {
                    callback.completed(null);
                }
            }

            @Override
            public Availability availability() {
                return Availability.AVAILABLE;
            }

            @Override
            public long publishTimeout() {
                return 30_000;
            }
        };
        outbox.append(TestOutbox.event(topic, "held").build());
        outbox.append(TestOutbox.event(topic, "acknowledged").build());
        Relay relay = start(mode, Duration.ofSeconds(1), publisher);
        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NOT NULL") == 1);
        relay.stop();

        assertThat(outbox.count("published_at IS NULL AND aggregate_id = 'held'"))
                .isEqualTo(1);
        assertThat(freeLanes()).isEqualTo(Aggregate.LANES);
    }

    private Relay startAndHold(ClaimMode mode, Duration timeout) {
        String topic = kafka.createTopic("orders", 1);
        for (int i = 0; i < 3; i++) {
            outbox.append(TestOutbox.event(topic, "a" + i).build());
        }
        Relay relay = start(mode, timeout, held);
        await().atMost(LIMIT).until(() -> held.count() == 3);
        return relay;
    }

    private Relay start(ClaimMode mode, Duration timeout, EventPublisher publisher) {
        RelaySettings base = TestOutbox.settings(64, 100);
        RelaySettings settings =
                new RelaySettings(base.claims(), base.flow(), base.polling(), base.retry(), base.parking(), timeout);
        return outbox.startRelay(settings, outbox.store(mode, Duration.ofMinutes(2)), publisher);
    }

    private String topicOfTheFirst() {
        return outbox.jdbc
                .sql("SELECT topic FROM outbox_event LIMIT 1")
                .query(String.class)
                .single();
    }

    private long freeLanes() {
        return outbox.jdbc.sql(FREE_LANES).query(Long.class).single();
    }
}
