package dev.outbox.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.example.RunningService;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

class OrdersApiIT extends RunningService {

    @Test
    void aPlacedOrderIsFoundWhereTheAnswerSays() {
        var answer = post("{\"customer\": \"Ada\", \"amountCents\": 1250}")
                .expectStatus()
                .isCreated()
                .expectBody()
                .jsonPath("$.customer")
                .isEqualTo("Ada")
                .jsonPath("$.amountCents")
                .isEqualTo(1250)
                .jsonPath("$.status")
                .isEqualTo("pending")
                .jsonPath("$.version")
                .isEqualTo(0)
                .returnResult();

        String location = String.valueOf(answer.getResponseHeaders().getLocation());
        assertThat(location).startsWith("/orders/");
        orders().http()
                .get()
                .uri(location)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .json(new String(answer.getResponseBody(), StandardCharsets.UTF_8));
    }

    @Test
    void aConfirmationRaisesTheVersion() {
        orders().confirm(orders().place("Ada", 1250))
                .expectBody()
                .jsonPath("$.version")
                .isEqualTo(1);
    }

    @Test
    void anUnknownOrderIsNotFound() {
        UUID unknown = UUID.randomUUID();

        orders().confirm(unknown).expectStatus().isNotFound();
        orders().http()
                .get()
                .uri("/orders/{id}", unknown)
                .exchange()
                .expectStatus()
                .isNotFound()
                .expectBody()
                .jsonPath("$.detail")
                .isEqualTo("There is no order " + unknown + ".");
    }

    @Test
    void aConflictSaysWhatTheOrderIs() {
        orders().confirm(orders().placeAndConfirm())
                .expectStatus()
                .isEqualTo(409)
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON);
        UUID order = orders().placeAndConfirm();
        orders().confirm(order)
                .expectBody()
                .jsonPath("$.detail")
                .isEqualTo("Order " + order + " is confirmed; only a pending order can be confirmed.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"amountCents": 1}                                   | customer
                    {"customer": " ", "amountCents": 1}                  | customer
                    {"customer": "a\\u0000b", "amountCents": 1}          | customer
                    {"customer": "a\\ud800b", "amountCents": 1}          | customer
                    {"customer": "Ada"}                                  | amountCents
                    {"customer": "Ada", "amountCents": 0}                | amountCents
                    {"customer": "Ada", "amountCents": 12.5}             | amountCents
                    {"customer": "Ada", "amountCents": "a lot"}          | amountCents
                    {"customer": "Ada", "amountCents": 9999999999999999999} | amountCents
                    """)
    void anInvalidOrderIsRefusedByTheNameOfTheField(String body, String field) {
        post(body)
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.errors.length()")
                .isEqualTo(1)
                .jsonPath("$.errors[0].field")
                .isEqualTo(field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "null"})
    void whatIsNoOrderIsRefused(String body) {
        post(body).expectStatus().isBadRequest();
    }

    @Test
    void whatIsNoIdIsRefused() {
        orders().http().get().uri("/orders/7").exchange().expectStatus().isBadRequest();
        orders().http()
                .get()
                .uri("/invoices?orderId=7")
                .exchange()
                .expectStatus()
                .isBadRequest();
        orders().http().get().uri("/invoices").exchange().expectStatus().isBadRequest();
    }

    @Test
    void thePageIsServed() {
        orders().http()
                .get()
                .uri("/")
                .exchange()
                .expectStatus()
                .isOk()
                .expectHeader()
                .contentTypeCompatibleWith(MediaType.TEXT_HTML);
    }

    private ResponseSpec post(String body) {
        return orders().http()
                .post()
                .uri("/orders")
                .contentType(MediaType.APPLICATION_JSON)
                .body(body)
                .exchange();
    }
}
