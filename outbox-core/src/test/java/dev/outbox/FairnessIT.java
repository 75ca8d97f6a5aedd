package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.jdbc.ClaimMode;
import dev.outbox.relay.RelaySettings;
import dev.outbox.testkit.KafkaBroker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nobody starves: not an instance, not a lane, not the neighbours of a hot aggregate. */
class FairnessIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final KafkaBroker kafka = KafkaBroker.shared();
    private final TestOutbox outbox = new TestOutbox();

    @AfterEach
    void close() throws Exception {
        outbox.close();
    }

    @ParameterizedTest
    @EnumSource(ClaimMode.class)
    void aNewcomerGetsItsShareFromOneThatHoldsEverything(ClaimMode mode) {
        String topic = kafka.createTopic("orders", 3);
        AtomicBoolean appending = new AtomicBoolean(true);
        Thread writer = new Thread(() -> {
            for (int round = 0; appending.get(); round++) {
                int first = round;
                outbox.transaction.executeWithoutResult(status -> outbox.writer.appendAll(IntStream.range(0, 200)
                        .mapToObj(
                                i -> TestOutbox.event(topic, "a" + (first + i)).build())
                        .toList()));
            }
        });
        writer.start();
        try {
            AtomicInteger first = start(mode);
            await().atMost(LIMIT).until(() -> first.get() > 1_000);
            AtomicInteger second = start(mode);
            await().atMost(LIMIT).until(() -> second.get() > 1_000);
            AtomicInteger third = start(mode);
            await().atMost(LIMIT).until(() -> third.get() > 1_000);
            int before = first.get();
            await().atMost(LIMIT).until(() -> first.get() > before + 500);
        } finally {
            appending.set(false);
        }
    }

    @ParameterizedTest
    @EnumSource(ClaimMode.class)
    void aHotAggregateLeavesRoomForTheOthers(ClaimMode mode) {
        String topic = kafka.createTopic("orders", 3);
        outbox.transaction.executeWithoutResult(status -> outbox.writer.appendAll(IntStream.range(0, 20_000)
                .mapToObj(i -> TestOutbox.event(topic, "hot").build())
                .toList()));
        List<String> others = IntStream.range(0, 500).mapToObj(i -> "a" + i).toList();
        int hotLane = Aggregate.lane(new Aggregate("order", "hot", null).hash());
        List<String> elsewhere = others.stream()
                .filter(id -> Aggregate.lane(new Aggregate("order", id, null).hash()) != hotLane)
                .toList();
        outbox.transaction.executeWithoutResult(status -> outbox.writer.appendAll(elsewhere.stream()
                .map(id -> TestOutbox.event(topic, id).build())
                .toList()));
        start(mode);

        await().atMost(LIMIT)
                .until(() -> outbox.count("aggregate_id <> 'hot' AND published_at IS NOT NULL") == elsewhere.size());
        assertThat(outbox.count("aggregate_id = 'hot' AND published_at IS NULL"))
                .isPositive();
    }

    /** Starts a relay of its own instance that takes all lanes it can get; returns how many it has published. */
    private AtomicInteger start(ClaimMode mode) {
        AtomicInteger published = new AtomicInteger();
        RelaySettings settings = TestOutbox.settings(64, 100);
        DeliveryStore store = outbox.store(mode, Duration.ofMinutes(2));
        outbox.startRelay(settings, store, outbox.publisher(Map.of()), new OutboxListener() {
            @Override
            public void published(Delivery delivery) {
                published.incrementAndGet();
            }
        });
        return published;
    }
}
