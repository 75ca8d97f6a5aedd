package dev.outbox.example;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.test.web.servlet.client.RestTestClient;

/** The service as its users see it: over HTTP. */
public final class OrdersClient {

    private final RestTestClient http;

    public OrdersClient(int port) {
        http = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
    }

    public RestTestClient http() {
        return http;
    }

    public UUID place(String customer, long amountCents) {
        var order = Map.of("customer", customer, "amountCents", amountCents);
        return body(
                        http.post()
                                .uri("/orders")
                                .body(order)
                                .exchange()
                                .expectStatus()
                                .isCreated(),
                        new ParameterizedTypeReference<PlacedOrder>() {})
                .id();
    }

    public RestTestClient.ResponseSpec confirm(UUID order) {
        return http.post().uri("/orders/{id}/confirm", order).exchange();
    }

    public UUID placeAndConfirm() {
        UUID order = place("Ada", 1250);
        confirm(order).expectStatus().isOk();
        return order;
    }

    public List<IssuedInvoice> invoices(UUID order) {
        return body(
                http.get()
                        .uri("/invoices?orderId={id}", order)
                        .exchange()
                        .expectStatus()
                        .isOk(),
                new ParameterizedTypeReference<>() {});
    }

    /** Returns the value of a gauge as {@code /actuator/metrics} tells it. */
    public double gauge(String name) {
        return body(
                        http.get()
                                .uri("/actuator/metrics/{name}", name)
                                .exchange()
                                .expectStatus()
                                .isOk(),
                        new ParameterizedTypeReference<Meter>() {})
                .measurements()
                .get(0)
                .value();
    }

    private static <T> T body(RestTestClient.ResponseSpec answer, ParameterizedTypeReference<T> type) {
        return Objects.requireNonNull(answer.expectBody(type).returnResult().getResponseBody());
    }

    record PlacedOrder(UUID id) {}

    public record IssuedInvoice(long number, UUID orderId, String customer, long amountCents, UUID eventId) {}

    record Meter(List<Measurement> measurements) {}

    record Measurement(double value) {}
}
