package dev.outbox.example.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.example.OrdersClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

class DevModeIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static ConfigurableApplicationContext service;
    private static OrdersClient orders;

    @BeforeAll
    static void start() {
        service = DevOrdersApplication.start("--server.port=0").getApplicationContext();
        orders = new OrdersClient(service.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    @AfterAll
    static void nothingIsLeftBehind() {
        DevBroker broker = service.getBean(DevBroker.class);
        Path directory = broker.log().getParent();

        service.close();

        assertThat(broker.pid()).isEmpty();
        assertThat(directory).doesNotExist();
    }

    @Test
    void ordersAreConfirmedWhileTheBrokerIsDeadAndInvoicedWhenItIsBack() {
        awaitOneInvoice(orders.placeAndConfirm());
        long pid = service.getBean(DevBroker.class).pid().orElseThrow();

        orders.http().post().uri("/dev/broker/kill").exchange().expectStatus().isOk();

        assertThat(ProcessHandle.of(pid)).isEmpty();
        UUID first = orders.placeAndConfirm();
        UUID second = orders.placeAndConfirm();
        await("backlog grows")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(orders.gauge("outbox.backlog")).isEqualTo(2));
        assertThat(orders.invoices(first)).isEmpty();

        orders.http().post().uri("/dev/broker/start").exchange().expectStatus().isOk();

        awaitOneInvoice(first);
        awaitOneInvoice(second);
        await("backlog drains")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(orders.gauge("outbox.backlog")).isZero());
    }

    private static void awaitOneInvoice(UUID order) {
        await("invoice of " + order)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(orders.invoices(order)).hasSize(1));
    }
}
