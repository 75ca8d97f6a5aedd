package dev.outbox.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.example.OrdersClient.IssuedInvoice;
import dev.outbox.example.RunningService;
import dev.outbox.testkit.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;

class OrdersEndToEndIT extends RunningService {

    @Autowired
    OrderService service;

    @Autowired
    TransactionTemplate transaction;

    @Test
    void aConfirmedOrderBecomesOneInvoice() {
        UUID order = orders().place("Ada", 1250);

        orders().confirm(order)
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.status")
                .isEqualTo("confirmed");

        IssuedInvoice invoice = awaitInvoice(order);
        assertThat(invoice.customer()).isEqualTo("Ada");
        assertThat(invoice.amountCents()).isEqualTo(1250);
        awaitEverythingBefore();
        assertThat(orders().invoices(order)).containsExactly(invoice);
        assertThat(recordsOf(order)).singleElement().satisfies(record -> {
            assertThat(header(record, "ce_id")).isEqualTo(invoice.eventId().toString());
            assertThat(header(record, "ce_type")).isEqualTo("order.confirmed");
        });
    }

    @Test
    void aSecondConfirmationIsRefusedAndAnnouncesNothing() {
        UUID order = orders().placeAndConfirm();

        orders().confirm(order).expectStatus().isEqualTo(409);

        awaitEverythingBefore();
        assertThat(recordsOf(order)).hasSize(1);
        assertThat(orders().invoices(order)).hasSize(1);
    }

    @Test
    void ofConfirmationsAtTheSameTimeOneSucceeds() {
        UUID order = orders().place("Ada", 1250);

        List<Integer> answers = IntStream.range(0, 8)
                .parallel()
                .mapToObj(
                        i -> orders().confirm(order).returnResult().getStatus().value())
                .toList();

        assertThat(answers).containsOnly(200, 409).containsOnlyOnce(200);
        awaitEverythingBefore();
        assertThat(recordsOf(order)).hasSize(1);
        assertThat(orders().invoices(order)).hasSize(1);
    }

    @Test
    void aConfirmationThatIsRolledBackAnnouncesNothing() {
        UUID order = orders().place("Ada", 1250);

        transaction.executeWithoutResult(status -> {
            service.confirm(order);
            status.setRollbackOnly();
        });

        awaitEverythingBefore();
        assertThat(recordsOf(order)).isEmpty();
        assertThat(service.find(order).status()).isEqualTo(OrderStatus.PENDING);
        orders().confirm(order).expectStatus().isOk();
        awaitInvoice(order);
        assertThat(recordsOf(order)).hasSize(1);
    }

    @Test
    void aRecordThatArrivesAgainHasNoSecondEffect() throws Exception {
        UUID order = orders().placeAndConfirm();
        IssuedInvoice invoice = awaitInvoice(order);
        ConsumerRecord<byte[], byte[]> record = recordsOf(order).get(0);
        UUID otherEvent = UUID.randomUUID();

        deliver(record, invoice.eventId());
        deliver(record, otherEvent);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(orders().invoices(order))
                        .extracting(IssuedInvoice::eventId)
                        .contains(otherEvent));
        assertThat(orders().invoices(order))
                .extracting(IssuedInvoice::eventId)
                .containsExactly(invoice.eventId(), otherEvent);
    }

    @Test
    void theMetricsOfTheOutboxAreScraped() {
        awaitEverythingBefore();

        String metrics = new String(
                orders().http()
                        .get()
                        .uri("/actuator/prometheus")
                        .exchange()
                        .expectStatus()
                        .isOk()
                        .expectBody()
                        .returnResult()
                        .getResponseBody(),
                StandardCharsets.UTF_8);

        assertThat(metrics).contains("outbox_backlog", "outbox_oldest_age");
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(orders().gauge("outbox.backlog")).isZero());
    }

    private static void deliver(ConsumerRecord<byte[], byte[]> record, UUID eventId) throws Exception {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", KafkaBroker.shared().bootstrapServers());
        var copy = new ProducerRecord<>(TOPIC, record.partition(), record.key(), record.value(), record.headers());
        copy.headers().remove("ce_id").add("ce_id", eventId.toString().getBytes(StandardCharsets.UTF_8));
        try (var producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(copy).get();
        }
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }
}
