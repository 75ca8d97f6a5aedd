package dev.outbox.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.Event;
import dev.outbox.autoconfigure.StarterApplication.Orders;
import dev.outbox.testkit.KafkaProcess;
import dev.outbox.testkit.PostgresOptions;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.RestartablePostgres;
import dev.outbox.testkit.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.CannotCreateTransactionException;

/** A service starts before its database and its broker, and outlives the database. */
@ExtendWith(OutputCaptureExtension.class)
class StartOrderIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String[] WITHOUT_JPA = {
        "spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
                + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration",
        "spring.datasource.hikari.connection-timeout=1000",
        "outbox.relay.backlog-interval=500ms"
    };

    private static RestartablePostgres server;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.start(PostgresOptions.fast());
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void startsWithNeitherDatabaseNorBrokerAndDrainsWhenTheyCome(CapturedOutput output) throws Exception {
        server.start();
        TestDatabase database = server.createDatabase();
        try (KafkaProcess broker = KafkaProcess.start()) {
            String topic = broker.createTopic("orders", 1);
            broker.kill();
            server.stopImmediate();
            try (var service = start(
                    StarterIT.Billing.class,
                    database,
                    "test.topic=" + topic,
                    "spring.kafka.bootstrap-servers=" + broker.bootstrapServers(),
                    "outbox.health.max-oldest-age=1s")) {
                int begun = output.getAll().length();
                Orders orders = service.getBean(Orders.class);
                assertThat(health(service).getDetails()).containsEntry("tables", "not ready");
                assertThatThrownBy(() -> orders.append(event(topic)))
                        .isInstanceOf(CannotCreateTransactionException.class);
                await().atMost(LIMIT).until(() -> alerts(output) >= 10);
                assertThat(output.getAll()).doesNotContain("A pass of the relay failed", "could not be purged");
                // The pool has told of the first tries with stack traces.
                assertThat(stackTraces(output.getAll().substring(begun))).isLessThanOrEqualTo(2);

                server.start();
                await().atMost(LIMIT)
                        .until(() -> "ready".equals(health(service).getDetails().get("tables")));
                UUID id = orders.append(event(topic));
                await().atMost(LIMIT).untilAsserted(() -> {
                    assertThat(health(service).getStatus()).isEqualTo(Status.DOWN);
                    assertThat(health(service).getDetails())
                            .containsEntry("backlog", 1L)
                            .containsKey("reason");
                });

                broker.restart();
                StarterIT.Billing billing = service.getBean(StarterIT.Billing.class);
                StarterIT.Billing.Received received = billing.received.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertThat(received).isNotNull();
                assertThat(received.metadata().eventId()).isEqualTo(id);
                await().atMost(LIMIT).until(() -> health(service).getStatus().equals(Status.UP));
                assertThat(health(service).getDetails()).containsEntry("publisher", "available");
            }
        }
    }

    @Test
    void showsThatTheDatabaseIsGoneAndThatItIsBack() {
        server.start();
        try (var service = start(
                Orders.class,
                server.createDatabase(),
                "outbox.health.max-failing-time=3s",
                "outbox.inbox.enabled=false")) {
            MeterRegistry meters = service.getBean(MeterRegistry.class);
            await().atMost(LIMIT).until(() -> gauge(meters, "outbox.backlog") == 0);
            assertThat(health(service).getDetails())
                    .containsEntry("relay", "running")
                    .containsEntry("workers", 1)
                    .containsEntry("oldestAge", "PT0S")
                    .doesNotContainKey("failure");
            server.stopImmediate();

            await().atMost(LIMIT).until(() -> health(service).getDetails().containsKey("failure"));
            assertThat(health(service).getStatus()).isEqualTo(Status.UP);
            await().atMost(LIMIT).until(() -> health(service).getStatus().equals(Status.DOWN));
            assertThat(health(service).getDetails())
                    .containsKeys("failingFor", "failureCause", "reason")
                    .doesNotContainKey("error");
            await().atMost(LIMIT).until(() -> Double.isNaN(gauge(meters, "outbox.backlog")));
            assertThat(gauge(meters, "outbox.oldest.age")).isNaN();
            assertThat(gauge(meters, "outbox.backlog.sample.age")).isGreaterThan(3);
            assertThat(health(service).getDetails()).doesNotContainKey("backlog");

            server.start();
            await().atMost(LIMIT).until(() -> health(service).getStatus().equals(Status.UP));
            await().atMost(LIMIT).until(() -> gauge(meters, "outbox.backlog") == 0);
        }
    }

    private static ConfigurableApplicationContext start(Class<?> more, TestDatabase database, String... properties) {
        String[] all = new String[properties.length + WITHOUT_JPA.length];
        System.arraycopy(WITHOUT_JPA, 0, all, 0, WITHOUT_JPA.length);
        System.arraycopy(properties, 0, all, WITHOUT_JPA.length, properties.length);
        return StarterApplication.start(database, more, all);
    }

    private static Event event(String topic) {
        return Event.builder()
                .topic(topic)
                .type("order.confirmed")
                .aggregate("order", "1")
                .payload(
                        "{\"orderId\":\"00000000-0000-0000-0000-000000000001\",\"amountCents\":1}"
                                .getBytes(StandardCharsets.UTF_8),
                        "application/json")
                .build();
    }

    private static Health health(ConfigurableApplicationContext service) {
        return Objects.requireNonNull(
                service.getBean("outboxHealthIndicator", HealthIndicator.class).health());
    }

    private static double gauge(MeterRegistry meters, String name) {
        return meters.get(name).gauge().value();
    }

    private static long stackTraces(String output) {
        return output.lines()
                .filter(line -> line.contains("Exception during pool initialization"))
                .count();
    }

    /** One line for each try of each of the two modules. */
    private static long alerts(CapturedOutput output) {
        return output.getAll()
                .lines()
                .filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                .count();
    }
}
