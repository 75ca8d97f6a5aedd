package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.inbox.InboxUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventExtractorsTest {

    private static final UUID ID = UUID.randomUUID();

    @Test
    void binaryModeHasItsAttributesInHeaders() {
        ConsumerRecord<byte[], byte[]> record = record(
                "{}",
                Map.of(
                        "ce_id", ID.toString(),
                        "ce_type", "order.confirmed",
                        "content-type", "application/json",
                        "traceparent", "00-1-2-01",
                        "ce_custom", "grün",
                        "unrelated", "x"));
        record.headers().add("ce_null", null);

        ExtractedEvent event = require(EventExtractors.headers("ce_id").extract(record));

        assertThat(event.eventId()).isEqualTo(ID);
        assertThat(event.payload()).isSameAs(record.value());
        assertThat(event.attributes())
                .containsOnly(
                        Map.entry("id", ID.toString()),
                        Map.entry("type", "order.confirmed"),
                        Map.entry("datacontenttype", "application/json"),
                        Map.entry("traceparent", "00-1-2-01"),
                        Map.entry("custom", "grün"));
    }

    @Test
    void aMissingOrNullHeaderIsAnotherKindOfRecordAndTheLastOfSeveralCounts() {
        ConsumerRecord<byte[], byte[]> record = record("{}", Map.of());
        assertThat(EventExtractors.headers("ce_id").extract(record)).isNull();
        record.headers().add("ce_id", bytes(UUID.randomUUID().toString()));
        record.headers().add("ce_id", bytes(ID.toString()));
        assertThat(require(EventExtractors.headers("ce_id").extract(record)).eventId())
                .isEqualTo(ID);
        record.headers().add("ce_id", null);
        assertThat(EventExtractors.headers("ce_id").extract(record)).isNull();
    }

    @Test
    void debeziumsRouterHasIdKeyAndPlacedFieldsWithOrWithoutQuotes() {
        ConsumerRecord<byte[], byte[]> plain = record(
                "{}",
                Map.of("id", ID.toString(), "eventType", "order.confirmed", "aggregateType", "order", "rev", "7"));
        ConsumerRecord<byte[], byte[]> quoted = new ConsumerRecord<>("orders.v1", 0, 0, bytes("\"o-1\""), bytes("{}"));
        quoted.headers().add("id", bytes("\"" + ID + "\""));

        ExtractedEvent event = require(EventExtractors.debeziumOutbox()
                .attribute("aggregateversion", "rev")
                .extract(plain));
        ExtractedEvent other = require(EventExtractors.debeziumOutbox().extract(quoted));

        assertThat(event.eventId()).isEqualTo(ID).isEqualTo(other.eventId());
        assertThat(event.attributes())
                .containsEntry("type", "order.confirmed")
                .containsEntry("aggregatetype", "order")
                .containsEntry("aggregateversion", "7")
                .containsEntry("subject", "key");
        assertThat(other.attributes()).containsOnly(Map.entry("subject", "o-1"));
    }

    @Test
    void anIdInTheBodyIsFoundByItsPointer() {
        JsonBodyExtractor extractor = EventExtractors.jsonBody("/meta/id")
                .attribute("subject", "/order")
                .ids(EventIds.derived("shop"));
        ExtractedEvent event = require(extractor.extract(record("{\"meta\":{\"id\":42},\"order\":\"o-1\"}", Map.of())));

        assertThat(event.eventId()).isEqualTo(EventIds.derived("shop").read("42", ""));
        assertThat(event.attributes()).containsOnly(Map.entry("subject", "o-1"));
        assertThat(event.payload()).asString().startsWith("{\"meta\"");
        for (String other : List.of("{}", "[]", "not json", "", "{\"meta\":{\"id\":null}}", "{\"meta\":{\"id\":{}}}")) {
            assertThat(extractor.extract(record(other, Map.of()))).isNull();
        }
        assertThat(extractor.extract(record(null, Map.of()))).isNull();
        assertThatExceptionOfType(UnusableRecordException.class)
                .isThrownBy(() -> EventExtractors.jsonBody("/id").extract(record("{\"id\":\"secret\"}", Map.of())))
                .withMessage("The JSON value at /id (6 bytes) is not a UUID as text");
        assertThatIllegalArgumentException().isThrownBy(() -> EventExtractors.jsonBody("id"));
    }

    @Test
    void structuredModeIsReadFromTheValueAndTheDataIsThePayload() {
        ConsumerRecord<byte[], byte[]> record = record(
                "{\"specversion\":\"1.0\",\"id\":\"" + ID + "\",\"source\":\"/orders\",\"type\":\"order.confirmed\","
                        + "\"subject\":\"o-1\",\"aggregatetype\":\"order\",\"aggregateversion\":7,"
                        + "\"time\":\"2026-01-01T00:00:00Z\",\"datacontenttype\":\"application/json\","
                        + "\"data\":{\"orderId\":\"o-1\"}}",
                Map.of("content-type", "application/cloudevents+json; charset=UTF-8", "traceparent", "00-1-2-01"));

        ExtractedEvent event =
                require(EventExtractors.structuredCloudEvents(EventIds.uuids()).extract(record));

        assertThat(event.eventId()).isEqualTo(ID);
        assertThat(event.payload()).asString().isEqualTo("{\"orderId\":\"o-1\"}");
        assertThat(event.attributes())
                .containsEntry("type", "order.confirmed")
                .containsEntry("subject", "o-1")
                .containsEntry("aggregatetype", "order")
                .containsEntry("aggregateversion", "7")
                .containsEntry("datacontenttype", "application/json")
                .containsEntry("traceparent", "00-1-2-01");
    }

    @Test
    void structuredModeThatCannotBeReadIsUnusableWithoutBeingQuotedAndAMissingFormatIsNot() {
        EventExtractor structured = EventExtractors.structuredCloudEvents(EventIds.uuids());
        Map<String, String> json = Map.of("content-type", "application/cloudevents+json");

        for (String text : List.of("secret", "{\"secret\":1}", "[]", "")) {
            assertThatExceptionOfType(UnusableRecordException.class)
                    .isThrownBy(() -> structured.extract(record(text, json)))
                    .withMessageNotContaining("secret")
                    .withNoCause();
        }
        assertThat(structured.extract(record("{}", Map.of("content-type", "application/json"))))
                .isNull();
        assertThat(structured.extract(record(null, json))).isNull();
        assertThatExceptionOfType(InboxUnavailableException.class)
                .isThrownBy(
                        () -> structured.extract(record("", Map.of("content-type", "application/cloudevents+avro"))))
                .withMessageContaining("cloudevents-json-jackson");
    }

    @Test
    void theFirstExtractorThatKnowsTheRecordCounts() {
        EventExtractor both =
                EventExtractors.firstOf(List.of(EventExtractors.headers("id"), EventExtractors.jsonBody("/id")));
        UUID other = UUID.randomUUID();

        assertThat(require(both.extract(record("{\"id\":\"" + other + "\"}", Map.of("id", ID.toString()))))
                        .eventId())
                .isEqualTo(ID);
        assertThat(require(both.extract(record("{\"id\":\"" + other + "\"}", Map.of())))
                        .eventId())
                .isEqualTo(other);
        assertThat(both.extract(record("{}", Map.of()))).isNull();
    }

    private static ExtractedEvent require(@Nullable ExtractedEvent event) {
        return Objects.requireNonNull(event);
    }

    private static ConsumerRecord<byte[], byte[]> record(@Nullable String value, Map<String, String> headers) {
        ConsumerRecord<byte[], byte[]> record =
                new ConsumerRecord<>("orders.v1", 1, 2, bytes("key"), value == null ? null : bytes(value));
        headers.forEach((name, text) -> record.headers().add(name, bytes(text)));
        return record;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
