package dev.outbox.inbox.kafka;

import dev.outbox.inbox.InboxUnavailableException;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.format.EventFormat;
import io.cloudevents.core.provider.EventFormatProvider;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads CloudEvents in structured mode, where the record's value is the whole event: by the content type, in every format
 * that is on the class path. The payload is the event's data.
 */
final class StructuredCloudEvents implements EventExtractor {

    private static final String MEDIA_TYPES = "application/cloudevents";
    private static final String BATCHES = "application/cloudevents-batch";

    private final EventIds ids;

    StructuredCloudEvents(EventIds ids) {
        this.ids = ids;
    }

    @Override
    public @Nullable ExtractedEvent extract(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> attributes = CloudEventHeaders.attributes(record.headers());
        String contentType = attributes.remove("datacontenttype");
        if (contentType == null || record.value() == null || !isStructured(contentType.toLowerCase(Locale.ROOT))) {
            return null;
        }
        CloudEvent event = parse(format(contentType), record.value());
        event.getAttributeNames().forEach(name -> put(attributes, name, event.getAttribute(name)));
        event.getExtensionNames().forEach(name -> put(attributes, name, event.getExtension(name)));
        return new ExtractedEvent(
                ids.read(event.getId(), "The id of the CloudEvent"),
                attributes,
                event.getData() == null ? null : event.getData().toBytes());
    }

    private static boolean isStructured(String contentType) {
        return contentType.startsWith(MEDIA_TYPES) && !contentType.startsWith(BATCHES);
    }

    /** A format that is missing here is no fault of the record, which therefore waits for it. */
    private static EventFormat format(String contentType) {
        EventFormat format = EventFormatProvider.getInstance().resolveFormat(contentType);
        if (format == null) {
            throw new InboxUnavailableException("No format on the class path reads the CloudEvents content type \""
                    + FailureCause.trim(contentType)
                    + "\"; io.cloudevents:cloudevents-json-jackson reads application/cloudevents+json");
        }
        return format;
    }

    /** Neither message nor cause of the exception: they may quote the payload. */
    private static CloudEvent parse(EventFormat format, byte[] value) {
        try {
            return format.deserialize(value);
        } catch (RuntimeException e) {
            throw new UnusableRecordException(
                    "The value (" + value.length + " bytes) is no CloudEvent as " + format.serializedContentType());
        }
    }

    private static void put(Map<String, String> attributes, String name, @Nullable Object value) {
        if (value != null) {
            attributes.put(name, value.toString());
        }
    }
}
