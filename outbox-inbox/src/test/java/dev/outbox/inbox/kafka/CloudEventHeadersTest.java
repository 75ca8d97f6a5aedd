package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.RecordPosition;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class CloudEventHeadersTest {

    @Test
    void theEnvelopeIsReadFromTheHeadersOfBinaryMode() {
        UUID id = UUID.randomUUID();
        ConsumerRecord<?, ?> record = TestRecords.record(Map.of(
                "ce_id", id.toString(),
                "ce_type", "order.confirmed",
                "content-type", "application/json",
                "traceparent", "00-1-2-01",
                "ce_custom", "grün",
                "unrelated", "x"));
        record.headers().add("ce_null", null);

        EventMetadata event = new CloudEventHeaders(new EventIds("ce_id")).read(record);

        assertThat(event.eventId()).isEqualTo(id);
        assertThat(event.position()).isEqualTo(new RecordPosition("orders.v1", 1, 2));
        assertThat(event.attributes())
                .containsOnly(
                        Map.entry("id", id.toString()),
                        Map.entry("type", "order.confirmed"),
                        Map.entry("datacontenttype", "application/json"),
                        Map.entry("traceparent", "00-1-2-01"),
                        Map.entry("custom", "grün"));
    }
}
