package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.Aggregate;
import dev.outbox.Delivery;
import dev.outbox.EventType;
import dev.outbox.OutboxRecord;
import dev.outbox.Payload;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class EnvelopeTest {

    private static final URI SOURCE = URI.create("/orders-service");
    private static final UUID ID = UUID.fromString("01900000-0000-7000-8000-000000000001");

    @Test
    void laysTheAttributesIntoHeadersAndThePayloadIntoTheValue() {
        Payload payload = Payload.of("application/json", "{ \"a\":1.10}".getBytes(StandardCharsets.UTF_8));
        ProducerRecord<byte[], byte[]> record =
                envelope(EnvelopeMode.BINARY, Envelope.DEFAULT_DATA_SCHEMA).wrap(delivery(payload, 7L));

        assertThat(record.topic()).isEqualTo("orders");
        assertThat(record.key()).isEqualTo("Größe 1".getBytes(StandardCharsets.UTF_8));
        assertThat(record.value()).isEqualTo(payload.bytes());
        assertThat(record.timestamp()).isNull();
        assertThat(record.partition()).isNull();
        assertThat(headers(record))
                .isEqualTo(Map.ofEntries(
                        Map.entry("ce_specversion", "1.0"),
                        Map.entry("ce_id", ID.toString()),
                        Map.entry("ce_source", "/orders-service"),
                        Map.entry("ce_type", "order.confirmed"),
                        Map.entry("ce_subject", "Größe 1"),
                        Map.entry("ce_time", "2024-01-02T03:04:05.006Z"),
                        Map.entry("ce_dataschema", "urn:event:order.confirmed:v2"),
                        Map.entry("ce_aggregatetype", "order"),
                        Map.entry("ce_aggregateversion", "7"),
                        Map.entry("ce_schemaversion", "2"),
                        Map.entry("content-type", "application/json"),
                        Map.entry("traceparent", "00-aa-bb-01")));
    }

    @Test
    void leavesOutWhatThereIsNot() {
        ProducerRecord<byte[], byte[]> record = envelope(EnvelopeMode.BINARY, "")
                .wrap(delivery(Payload.of("application/avro", new byte[] {0, (byte) 0xff}), null));

        assertThat(headers(record)).doesNotContainKeys("ce_dataschema", "ce_aggregateversion");
        assertThat(record.value()).isEqualTo(new byte[] {0, (byte) 0xff});
    }

    @Test
    void laysEverythingIntoOneDocumentInTheStructuredMode() {
        Payload payload = Payload.of("application/json", "{\"a\":1}".getBytes(StandardCharsets.UTF_8));
        ProducerRecord<byte[], byte[]> record = envelope(EnvelopeMode.STRUCTURED, "https://schemas/{type}/{version}")
                .wrap(delivery(payload, 7L));

        JsonNode document = JsonMapper.shared().readTree(record.value());
        assertThat(headers(record))
                .containsEntry("content-type", "application/cloudevents+json")
                .containsEntry("traceparent", "00-aa-bb-01")
                .doesNotContainKey("ce_id");
        assertThat(document.get("id").asString()).isEqualTo(ID.toString());
        assertThat(document.get("dataschema").asString()).isEqualTo("https://schemas/order.confirmed/2");
        assertThat(document.get("aggregateversion").asString()).isEqualTo("7");
        assertThat(document.get("data").get("a").asInt()).isEqualTo(1);
        assertThat(record.key()).isEqualTo("Größe 1".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aTypeThatIsNoPartOfAUriIsEncoded() {
        Envelope envelope = envelope(EnvelopeMode.BINARY, Envelope.DEFAULT_DATA_SCHEMA);
        OutboxRecord event = new OutboxRecord(
                ID,
                "orders",
                new EventType("Bestellung bestätigt", 1),
                new Aggregate("order", "1", null),
                Payload.of("text/plain", new byte[0]),
                Map.of());

        assertThat(headers(envelope.wrap(new Delivery(1, 0, 0, 0, Instant.EPOCH, event))))
                .containsEntry("ce_dataschema", "urn:event:Bestellung+best%C3%A4tigt:v1")
                .containsEntry("ce_type", "Bestellung bestätigt");
    }

    @Test
    void refusesADataSchemaThatMakesNoUri() {
        assertThatIllegalArgumentException().isThrownBy(() -> envelope(EnvelopeMode.BINARY, "not a uri {type}"));
    }

    private static Envelope envelope(EnvelopeMode mode, String dataSchema) {
        return new Envelope(mode, SOURCE, dataSchema);
    }

    private static Delivery delivery(Payload payload, @Nullable Long version) {
        OutboxRecord event = new OutboxRecord(
                ID,
                "orders",
                new EventType("order.confirmed", 2),
                new Aggregate("order", "Größe 1", version),
                payload,
                Map.of("traceparent", "00-aa-bb-01"));
        return new Delivery(1, 0, 0, 0, Instant.parse("2024-01-02T03:04:05.006Z"), event);
    }

    private static Map<String, String> headers(ProducerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new HashMap<>();
        record.headers()
                .forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        return headers;
    }
}
