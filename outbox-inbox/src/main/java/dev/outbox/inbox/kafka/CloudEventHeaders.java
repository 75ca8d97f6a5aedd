package dev.outbox.inbox.kafka;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.RecordPosition;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** The envelope of an event as CloudEvents puts it into Kafka headers in binary mode. */
final class CloudEventHeaders {

    private static final String PREFIX = "ce_";
    private static final String CONTENT_TYPE = "content-type";
    private static final String TRACEPARENT = "traceparent";

    private final EventIds eventIds;

    CloudEventHeaders(EventIds eventIds) {
        this.eventIds = eventIds;
    }

    EventMetadata read(ConsumerRecord<?, ?> record) {
        Map<String, String> attributes = new HashMap<>();
        for (Header header : record.headers()) {
            if (header.value() == null) {
                continue;
            }
            String text = new String(header.value(), StandardCharsets.UTF_8);
            if (header.key().startsWith(PREFIX)) {
                attributes.put(header.key().substring(PREFIX.length()), text);
            } else if (header.key().equals(CONTENT_TYPE)) {
                attributes.put("datacontenttype", text);
            } else if (header.key().equals(TRACEPARENT)) {
                attributes.put(TRACEPARENT, text);
            }
        }
        return new EventMetadata(
                eventIds.require(record),
                attributes,
                new RecordPosition(record.topic(), record.partition(), record.offset()));
    }
}
