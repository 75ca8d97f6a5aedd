package dev.outbox.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Delivery;
import dev.outbox.EventPublisher;
import dev.outbox.OutboxListener;
import dev.outbox.autoconfigure.StarterApplication.OrderConfirmed;
import dev.outbox.autoconfigure.StarterApplication.Orders;
import dev.outbox.relay.Relay;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The threads of the relay, and their end with the context. */
class ShutdownIT {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void acknowledgementsAreAwaitedAndMarkedThenTheProducerIsClosedThenThePool() throws Exception {
        TestDatabase database = PostgresServer.shared().createDatabase();
        var service = StarterApplication.start(database, HeldBroker.class, "outbox.inbox.enabled=false");
        HikariDataSource pool = service.getBean(HikariDataSource.class);
        HeldPublisher publisher = service.getBean(HeldPublisher.class);
        Orders orders = service.getBean(Orders.class);
        orders.append(new OrderConfirmed(UUID.randomUUID(), 1, 5));
        orders.append(new OrderConfirmed(UUID.randomUUID(), 1, 5));
        await().atMost(LIMIT).until(() -> publisher.held.size() == 2);

        CompletableFuture<Void> close = CompletableFuture.runAsync(service::close);
        await().during(Duration.ofMillis(500)).until(() -> !close.isDone());
        assertThat(publisher.seenAtClose).isEmpty();
        publisher.held.forEach(callback -> callback.completed(null));
        close.get(LIMIT.toSeconds(), TimeUnit.SECONDS);

        assertThat(publisher.seenAtClose).containsExactly("relay stopped", "pool open", "marked 2", "lanes held 0");
        assertThat(pool.isClosed()).isTrue();
    }

    @Test
    void aStopIsBoundedWhenNoAcknowledgementComes() {
        TestDatabase database = PostgresServer.shared().createDatabase();
        var service = StarterApplication.start(
                database,
                HeldBroker.class,
                "outbox.inbox.enabled=false",
                "outbox.relay.claim=lease",
                "outbox.relay.shutdown-timeout=1s");
        HeldPublisher publisher = service.getBean(HeldPublisher.class);
        service.getBean(Orders.class).append(new OrderConfirmed(UUID.randomUUID(), 1, 5));
        await().atMost(LIMIT).until(() -> publisher.held.size() == 1);
        long began = System.nanoTime();
        service.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(8));
        assertThat(publisher.seenAtClose).containsExactly("relay stopped", "pool open", "marked 0", "lanes held 0");
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void workersAreVirtualThreadsWhereTheApplicationWantsThem() {
        try (var service = StarterApplication.start(
                PostgresServer.shared().createDatabase(),
                HeldBroker.class,
                "outbox.inbox.enabled=false",
                "spring.threads.virtual.enabled=true")) {
            HeldPublisher publisher = service.getBean(HeldPublisher.class);
            service.getBean(Orders.class).append(new OrderConfirmed(UUID.randomUUID(), 1, 5));
            await().atMost(LIMIT).until(() -> publisher.held.size() == 1);
            publisher.held.forEach(callback -> callback.completed(null));
            await().atMost(LIMIT).until(() -> publisher.published.size() == 1);

            assertThat(service.getBean(Relay.class).status().workers()).isEqualTo(1);
            assertThat(publisher.publishers.get(0)).startsWith("VirtualThread[").contains("outbox-relay-1]");
            assertThat(publisher.published.get(0)).startsWith("VirtualThread[").contains("outbox-relay-1-marks]");
        }
    }

    @Test
    void workersAreThreadsOfThePlatformOtherwiseAndTheOutboxIsUp() {
        try (var service = StarterApplication.start(
                PostgresServer.shared().createDatabase(), HeldBroker.class, "outbox.inbox.enabled=false")) {
            HeldPublisher publisher = service.getBean(HeldPublisher.class);
            service.getBean(Orders.class).append(new OrderConfirmed(UUID.randomUUID(), 1, 5));
            await().atMost(LIMIT).until(() -> publisher.held.size() == 1);

            assertThat(publisher.publishers.get(0)).startsWith("Thread[");
            assertThat(service.getBean("outboxHealthIndicator", HealthIndicator.class)
                            .health())
                    .isNotNull()
                    .extracting(Health::getStatus)
                    .isEqualTo(Status.UP);
            publisher.held.forEach(callback -> callback.completed(null));
        }
    }

    /** In place of Kafka. */
    @Configuration(proxyBeanMethods = false)
    static class HeldBroker {

        @Bean
        HeldPublisher heldPublisher(ObjectProvider<Relay> relay, HikariDataSource pool) {
            return new HeldPublisher(relay, pool);
        }
    }

    static class HeldPublisher implements EventPublisher, OutboxListener, AutoCloseable {

        final Queue<Callback> held = new ConcurrentLinkedQueue<>();
        final List<String> publishers = new CopyOnWriteArrayList<>();
        final List<String> published = new CopyOnWriteArrayList<>();
        final List<String> seenAtClose = new CopyOnWriteArrayList<>();
        private final ObjectProvider<Relay> relays;
        private final HikariDataSource pool;
        private volatile @Nullable Relay relay;

        HeldPublisher(ObjectProvider<Relay> relays, HikariDataSource pool) {
            this.relays = relays;
            this.pool = pool;
        }

        @Override
        public void publish(Delivery delivery, Callback callback) {
            relay = relays.getObject();
            publishers.add(Thread.currentThread()
                    .toString()
                    .replaceAll("\\[#\\d+,", "[")
                    .replaceAll("].*", "]"));
            held.add(callback);
        }

        @Override
        public void published(Delivery delivery) {
            published.add(Thread.currentThread()
                    .toString()
                    .replaceAll("\\[#\\d+,", "[")
                    .replaceAll("].*", "]"));
        }

        @Override
        public Availability availability() {
            return Availability.AVAILABLE;
        }

        @Override
        public long publishTimeout() {
            return 30_000;
        }

        @Override
        public void close() {
            Relay used = relay;
            seenAtClose.add(used == null || used.status().workers() > 0 ? "relay running" : "relay stopped");
            seenAtClose.add(pool.isClosed() ? "pool closed" : "pool open");
            JdbcClient jdbc = JdbcClient.create(pool);
            seenAtClose.add("marked "
                    + jdbc.sql("SELECT count(*) FROM outbox_delivery WHERE published_at IS NOT NULL")
                            .query(Integer.class)
                            .single());
            seenAtClose.add("lanes held "
                    + jdbc.sql("SELECT 64 - count(*) FROM (SELECT FROM outbox_lane WHERE owner IS NULL"
                                    + " FOR UPDATE SKIP LOCKED) free")
                            .query(Integer.class)
                            .single());
        }
    }
}
