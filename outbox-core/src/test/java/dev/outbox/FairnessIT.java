package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.jdbc.ClaimMode;
import dev.outbox.relay.Relay;
import dev.outbox.relay.RelaySettings;
import dev.outbox.testkit.KafkaBroker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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
        List<String> elsewhere =
                others.stream().filter(id -> laneOf(id) != laneOf("hot")).toList();
        outbox.transaction.executeWithoutResult(status -> outbox.writer.appendAll(elsewhere.stream()
                .map(id -> TestOutbox.event(topic, id).build())
                .toList()));
        start(mode);

        await().atMost(LIMIT)
                .until(() -> outbox.count("aggregate_id <> 'hot' AND published_at IS NOT NULL") == elsewhere.size());
        assertThat(outbox.count("aggregate_id = 'hot' AND published_at IS NULL"))
                .isPositive();
    }

    @ParameterizedTest
    @EnumSource(ClaimMode.class)
    void aLaneThatHadNothingBeforeDoesNotWaitForTheEndOfATenureThatGoesOn(ClaimMode mode) {
        String topic = kafka.createTopic("orders", 3);
        RelaySettings defaults = TestOutbox.settings(1, 100);
        RelaySettings settings = new RelaySettings(
                new RelaySettings.Claims(1, 1, Duration.ofMinutes(5)),
                defaults.flow(),
                defaults.polling(),
                defaults.retry(),
                defaults.parking(),
                defaults.shutdownTimeout());
        String elsewhere = outbox.aggregatesOfLane((laneOf("slow") + 1) % Aggregate.LANES, 1)
                .get(0);
        SlowFor slow = new SlowFor(outbox.publisher(Map.of()), "slow");
        outbox.append(TestOutbox.event(topic, "slow").build());
        Relay relay = outbox.startRelay(settings, outbox.store(mode, Duration.ofMinutes(2)), slow);
        await().atMost(LIMIT).until(slow.held::isDone);

        outbox.append(TestOutbox.event(topic, elsewhere).build());
        relay.wake();
        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NOT NULL") == 1);

        slow.held.join().run();
        await().atMost(LIMIT).until(() -> outbox.count("published_at IS NOT NULL") == 2);
    }

    private static int laneOf(String id) {
        return Aggregate.lane(new Aggregate("order", id, null).hash());
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

    /** Keeps back the acknowledgement of one aggregate's record. */
    private record SlowFor(EventPublisher publisher, String aggregateId, CompletableFuture<Runnable> held)
            implements EventPublisher {

        private SlowFor(EventPublisher publisher, String aggregateId) {
            this(publisher, aggregateId, new CompletableFuture<>());
        }

        @Override
        public void publish(Delivery delivery, Callback callback) {
            publisher.publish(delivery, failure -> {
                if (delivery.event().aggregate().id().equals(aggregateId)) {
                    held.complete(() -> callback.completed(failure));
                } else {
                    callback.completed(failure);
                }
            });
        }

        @Override
        public void prepare(Set<String> topics) throws InterruptedException {
            publisher.prepare(topics);
        }

        @Override
        public Availability availability() {
            return publisher.availability();
        }

        @Override
        public long publishTimeout() {
            return publisher.publishTimeout();
        }
    }
}
