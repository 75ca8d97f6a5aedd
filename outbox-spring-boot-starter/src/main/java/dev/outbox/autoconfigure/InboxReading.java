package dev.outbox.autoconfigure;

import dev.outbox.inbox.kafka.EventExtractor;
import dev.outbox.inbox.kafka.EventExtractors;
import dev.outbox.inbox.kafka.EventIds;
import dev.outbox.inbox.kafka.FailureClassifier;
import dev.outbox.inbox.kafka.HeaderExtractor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.util.ClassUtils;

/** What the properties say about the records of other producers and about failures. */
final class InboxReading {

    private InboxReading() {}

    /** Returns the built-in extractors, in their order. */
    static List<EventExtractor> extractors(InboxProperties properties) {
        return InvalidOutboxPropertyException.settings("outbox.inbox", () -> {
            EventIds ids = properties.eventIdNamespace() == null
                    ? EventIds.uuids()
                    : EventIds.derived(properties.eventIdNamespace());
            HeaderExtractor headers =
                    EventExtractors.headers(properties.eventIdHeader()).ids(ids);
            for (Map.Entry<String, String> attribute :
                    properties.attributeHeaders().entrySet()) {
                headers = headers.attribute(attribute.getKey(), attribute.getValue());
            }
            List<EventExtractor> extractors = new ArrayList<>();
            extractors.add(EventExtractors.structuredCloudEvents(ids));
            extractors.add(properties.aggregateIdInKey() ? headers.key("subject") : headers);
            if (properties.eventIdPointer() != null) {
                extractors.add(
                        EventExtractors.jsonBody(properties.eventIdPointer()).ids(ids));
            }
            return extractors;
        });
    }

    /** Returns what knows the exceptions that the properties list. */
    static FailureClassifier listed(InboxProperties.Retry retry) {
        return InvalidOutboxPropertyException.settings(
                "outbox.inbox.retry",
                () -> FailureClassifier.byType(
                        types("outbox.inbox.retry.transient-exceptions", retry.transientExceptions()),
                        types("outbox.inbox.retry.permanent-exceptions", retry.permanentExceptions())));
    }

    private static List<Class<? extends Throwable>> types(String property, List<String> names) {
        List<Class<? extends Throwable>> types = new ArrayList<>();
        for (String name : names) {
            try {
                types.add(ClassUtils.forName(name, null).asSubclass(Throwable.class));
            } catch (ClassNotFoundException | LinkageError | ClassCastException e) {
                throw new IllegalArgumentException(
                        property + " names " + name + ", which is no exception on the class path", e);
            }
        }
        return types;
    }
}
