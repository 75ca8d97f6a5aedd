package dev.outbox.inbox.kafka;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads records whose event id, and perhaps more, stands in headers. The payload is the record's value.
 *
 * <p>Attributes are those of CloudEvents in binary mode ({@code ce_…}, {@code content-type}, {@code traceparent}) and
 * those that are named here, which win. A header or key that is a JSON string, as some converters write it, counts without
 * its quotes.
 *
 * <p>Immutable: each method returns another one.
 */
public final class HeaderExtractor implements EventExtractor {

    private final String idHeader;
    private final EventIds ids;
    private final Map<String, String> headers;
    private final @Nullable String keyAttribute;

    HeaderExtractor(String idHeader, EventIds ids, Map<String, String> headers, @Nullable String keyAttribute) {
        if (idHeader.isBlank()) {
            throw new IllegalArgumentException("The name of the event id header must not be blank");
        }
        this.idHeader = idHeader;
        this.ids = ids;
        this.headers = Map.copyOf(headers);
        this.keyAttribute = keyAttribute;
    }

    /** Sets what makes an event id of the header's text; {@link EventIds#uuids()} if nothing is set. */
    public HeaderExtractor ids(EventIds ids) {
        return new HeaderExtractor(idHeader, ids, headers, keyAttribute);
    }

    /** Takes an attribute, such as {@code type}, from the header with this name. */
    public HeaderExtractor attribute(String attribute, String header) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(attribute, header);
        return new HeaderExtractor(idHeader, ids, more, keyAttribute);
    }

    /** Takes an attribute, as a rule {@code subject}, which is the aggregate's id, from the record's key. */
    public HeaderExtractor key(String attribute) {
        return new HeaderExtractor(idHeader, ids, headers, attribute);
    }

    @Override
    public @Nullable ExtractedEvent extract(ConsumerRecord<byte[], byte[]> record) {
        String id = text(record, idHeader);
        if (id == null) {
            return null;
        }
        Map<String, String> attributes = new HashMap<>(CloudEventHeaders.attributes(record.headers()));
        if (keyAttribute != null && record.key() != null) {
            attributes.put(keyAttribute, text(record.key()));
        }
        headers.forEach((attribute, header) -> {
            String text = text(record, header);
            if (text != null) {
                attributes.put(attribute, text);
            }
        });
        return new ExtractedEvent(ids.read(id, "The header " + idHeader), attributes, record.value());
    }

    private static @Nullable String text(ConsumerRecord<?, ?> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null ? null : text(header.value());
    }

    private static String text(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (text.length() < 2 || !text.startsWith("\"") || !text.endsWith("\"")) {
            return text;
        }
        try {
            return JsonMapper.shared().readValue(text, String.class);
        } catch (JacksonException e) {
            return text;
        }
    }
}
