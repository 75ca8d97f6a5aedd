package dev.outbox.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EventMetadataTest {

    @Test
    void everyAttributeIsReadAsWhatItIs() {
        EventMetadata event = metadata(Map.ofEntries(
                Map.entry("type", "order.confirmed"),
                Map.entry("source", "/orders"),
                Map.entry("subject", "o-1"),
                Map.entry("time", "2026-05-04T10:15:30.123456+02:00"),
                Map.entry("dataschema", "urn:order:1"),
                Map.entry("datacontenttype", "application/json"),
                Map.entry("aggregatetype", "order"),
                Map.entry("aggregateversion", "7"),
                Map.entry("schemaversion", "2"),
                Map.entry("traceparent", "00-1-2-01")));

        assertThat(event.type()).isEqualTo("order.confirmed");
        assertThat(event.source()).isEqualTo("/orders");
        assertThat(event.aggregateId()).isEqualTo("o-1");
        assertThat(event.aggregateType()).isEqualTo("order");
        assertThat(event.aggregateVersion()).isEqualTo(7);
        assertThat(event.schemaVersion()).isEqualTo(2);
        assertThat(event.time()).isEqualTo(Instant.parse("2026-05-04T08:15:30.123456Z"));
        assertThat(event.dataSchema()).isEqualTo("urn:order:1");
        assertThat(event.contentType()).isEqualTo("application/json");
        assertThat(event.traceparent()).isEqualTo("00-1-2-01");
    }

    @Test
    void whatIsAbsentOrUnreadableIsNull() {
        EventMetadata event = metadata(Map.of("time", "yesterday", "aggregateversion", "seven", "schemaversion", ""));

        assertThat(event.type()).isNull();
        assertThat(event.time()).isNull();
        assertThat(event.aggregateVersion()).isNull();
        assertThat(event.schemaVersion()).isNull();
    }

    private static EventMetadata metadata(Map<String, String> attributes) {
        return new EventMetadata(UUID.randomUUID(), attributes, new RecordPosition("orders.v1", 0, 1));
    }
}
