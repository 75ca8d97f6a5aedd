package dev.outbox.inbox.kafka;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** The envelope of an event as CloudEvents puts it into Kafka headers in binary mode. */
final class CloudEventHeaders {

    static final String CONTENT_TYPE = "content-type";
    static final String TRACEPARENT = "traceparent";

    private static final String PREFIX = "ce_";

    private CloudEventHeaders() {}

    static Map<String, String> attributes(Headers headers) {
        Map<String, String> attributes = new HashMap<>();
        for (Header header : headers) {
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
        return attributes;
    }
}
