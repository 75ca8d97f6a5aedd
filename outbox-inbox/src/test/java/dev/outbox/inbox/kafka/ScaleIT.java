package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.testkit.PostgresServer;
import java.util.Collection;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScaleIT {

    private final InboxDatabase database =
            InboxDatabase.in(PostgresServer.shared().createDatabase());
    private final TestTopic topic = TestTopic.create(2);

    @AfterEach
    void close() {
        topic.close();
        database.close();
    }

    @Test
    void aStaticMemberThatRestartsInTimeCausesNoRebalance() {
        InboxApplication restarting = application("instance-a");
        AtomicInteger rebalances = new AtomicInteger();
        try (InboxApplication staying = application("instance-b")
                .customize(factory -> factory.getContainerProperties()
                        .setConsumerRebalanceListener(new RebalanceCounter(rebalances)))) {
            restarting.start(Twice.class);
            staying.start(Twice.class);
            awaitAssigned(restarting);
            awaitAssigned(staying);
            assertThat(topic.instances(topic.name() + "-first"))
                    .containsExactlyInAnyOrder("instance-a-first-0", "instance-b-first-0");
            int before = rebalances.get();

            restarting.close();
            restarting = application("instance-a").start(Twice.class);

            awaitAssigned(restarting);
            UUID one = send(0);
            UUID other = send(1);
            await().atMost(TestTopic.LIMIT).until(() -> database.effects(one) == 2 && database.effects(other) == 2);
            assertThat(rebalances).hasValue(before);
            assertThat(topic.instances(topic.name() + "-first")).hasSize(2);
        } finally {
            restarting.close();
        }
    }

    @Test
    void withGroupsManagedByTheBrokerEffectsAreOnceAndTheLagIsKnownByPartition() {
        CountDownLatch release = new CountDownLatch(1);
        try (InboxApplication application = InboxApplication.on(database)
                .property("topic", topic.name())
                .consumerConfig("group.protocol", "consumer")) {
            application.handle((record, effects) -> {
                if (record.partition() == 1) {
                    awaitRelease(release);
                }
            });
            await().atMost(TestTopic.LIMIT)
                    .until(() -> application.observed().lags().size() == 2);
            UUID event = send(0);
            topic.send(0, event);

            await().atMost(TestTopic.LIMIT).until(() -> application.observed().count("duplicate handler") == 1);
            await().atMost(TestTopic.LIMIT).until(() -> lag(application, 0) == 0);
            UUID slow = send(1);
            await().atMost(TestTopic.LIMIT).until(() -> lag(application, 1) > 0.05);
            release.countDown();
            await().atMost(TestTopic.LIMIT).until(() -> lag(application, 1) == 0);

            assertThat(database.effects(slow)).isEqualTo(1);
            assertThat(database.effects(event)).isEqualTo(1);
            application.close();
            assertThat(application.observed().lags()).isEmpty();
        }
    }

    private InboxApplication application(String instance) {
        return InboxApplication.on(database)
                .property("topic", topic.name())
                .consumerConfig("group.instance.id", instance)
                .consumerConfig("session.timeout.ms", "20000");
    }

    private static void awaitAssigned(InboxApplication application) {
        await().atMost(TestTopic.LIMIT)
                .until(() -> application.observed().lags().size() == 2);
    }

    private double lag(InboxApplication application, int partition) {
        DoubleSupplier lag = application.observed().lags().get(Handler.NAME + " " + topic.name() + "-" + partition);
        return lag == null ? Double.NaN : lag.getAsDouble();
    }

    private UUID send(int partition) {
        UUID event = UUID.randomUUID();
        topic.send(partition, event);
        return event;
    }

    private static void awaitRelease(CountDownLatch release) {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static class Twice {

        private final Effects effects;

        Twice(Effects effects) {
            this.effects = effects;
        }

        @IdempotentListener(topics = "${topic}", consumer = "first", groupId = "${topic}-first")
        void first(EventMetadata event) {
            effects.add("first", event.eventId());
        }

        @IdempotentListener(topics = "${topic}", consumer = "second:2", groupId = "${topic}-second")
        void second(EventMetadata event) {
            effects.add("second", event.eventId());
        }
    }

    /** Each rebalance assigns, if nothing more then an empty list. */
    private record RebalanceCounter(AtomicInteger number) implements ConsumerRebalanceListener {

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            number.incrementAndGet();
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}
    }
}
