package dev.outbox;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/**
 * What an event may measure; checked at append, so that nothing is stored that could not be published.
 *
 * @param maxPayloadSize the most bytes of a payload, at least 1
 */
public record AppendLimits(int maxPayloadSize) {

    /** Fits Kafka's default message size of 1 MiB with headers, also as Base64 in the structured envelope. */
    public static final int DEFAULT_MAX_PAYLOAD_SIZE = 750 * 1024;

    /** The most characters of an aggregate's type, an event's type, a content type or a header's name. */
    public static final int MAX_NAME_LENGTH = 255;

    /** The most characters of an aggregate's id. */
    public static final int MAX_AGGREGATE_ID_LENGTH = 512;

    /** The most UTF-8 bytes of all headers of one event, names and values. */
    public static final int MAX_HEADERS_SIZE = 16 * 1024;

    /** The most characters of a topic's name: Kafka's own limit. */
    public static final int MAX_TOPIC_LENGTH = 249;

    public AppendLimits {
        if (maxPayloadSize < 1) {
            throw new IllegalArgumentException("max payload size: " + maxPayloadSize + " bytes, at least 1 required");
        }
    }

    /**
     * @throws InvalidEventException naming the first field that breaks a limit, its size and the limit
     */
    void check(OutboxRecord event) {
        text("aggregateType", event.aggregate().type(), MAX_NAME_LENGTH);
        text("aggregateId", event.aggregate().id(), MAX_AGGREGATE_ID_LENGTH);
        text("type", event.type().name(), MAX_NAME_LENGTH);
        text("contentType", event.payload().contentType(), MAX_NAME_LENGTH);
        topic(event.topic());
        atLeast("schemaVersion", event.type().schemaVersion(), 1);
        Long version = event.aggregate().version();
        if (version != null) {
            atLeast("aggregateVersion", version, 0);
        }
        headers(event.headers());
        if (event.payload().size() > maxPayloadSize) {
            throw new InvalidEventException("payload: " + event.payload().size() + " bytes, at most " + maxPayloadSize
                    + " allowed (outbox.append.max-payload-size)");
        }
    }

    /** Whether Kafka takes this as a topic's name. */
    public static boolean isLegalTopic(String topic) {
        return !topic.isEmpty()
                && topic.length() <= MAX_TOPIC_LENGTH
                && topic.chars().allMatch(AppendLimits::isLegalInTopic)
                && !topic.equals(".")
                && !topic.equals("..");
    }

    /* Asked about every record that is published, so without a regular expression. */
    private static boolean isLegalInTopic(int character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9')
                || character == '.'
                || character == '_'
                || character == '-';
    }

    private static void topic(String topic) {
        text("topic", topic, MAX_TOPIC_LENGTH);
        if (!isLegalTopic(topic)) {
            throw new InvalidEventException("topic: '" + topic + "' is not a legal Kafka topic name; allowed are ASCII"
                    + " letters, digits, '.', '_' and '-', and neither '.' nor '..' alone");
        }
    }

    private static void headers(Map<String, String> headers) {
        int size = 0;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            text("header name", header.getKey(), MAX_NAME_LENGTH);
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (name.startsWith("ce_") || name.equals("content-type")) {
                throw new InvalidEventException("header name: '" + header.getKey() + "' belongs to the envelope");
            }
            wellFormed("header '" + header.getKey() + "'", header.getValue());
            size += utf8Size(header.getKey()) + utf8Size(header.getValue());
        }
        if (size > MAX_HEADERS_SIZE) {
            throw new InvalidEventException("headers: " + size + " bytes, at most " + MAX_HEADERS_SIZE + " allowed");
        }
    }

    private static void text(String field, String value, int limit) {
        if (value.isEmpty() || value.length() > limit) {
            throw new InvalidEventException(
                    field + ": " + value.length() + " characters, at least 1 and at most " + limit + " allowed");
        }
        wellFormed(field, value);
    }

    private static void wellFormed(String field, String value) {
        String flaw = StorableText.flaw(value);
        if (flaw != null) {
            throw new InvalidEventException(field + ": " + flaw);
        }
    }

    private static void atLeast(String field, long value, long limit) {
        if (value < limit) {
            throw new InvalidEventException(field + ": " + value + ", at least " + limit + " required");
        }
    }

    private static int utf8Size(String value) {
        return value.getBytes(StandardCharsets.UTF_8).length;
    }
}
