package dev.outbox.inbox.kafka;

import dev.outbox.inbox.Admission;
import dev.outbox.inbox.Admissions;
import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.VersionPolicy;
import java.util.List;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;

/** Finds what decides about the events of a listener, by its annotation. */
final class ListenerAdmissions {

    private final List<Admissions> sources;

    ListenerAdmissions(List<? extends Admissions> sources) {
        this.sources = List.copyOf(sources);
    }

    /**
     * @throws IllegalStateException if the listener asks for what nothing here decides
     */
    List<Admission> of(ConsumerName consumer, KafkaListenerEndpoint endpoint) {
        IdempotentListener listener = endpoint instanceof MethodKafkaListenerEndpoint<?, ?> method
                ? AnnotatedElementUtils.findMergedAnnotation(method.getMethod(), IdempotentListener.class)
                : null;
        if (listener == null) {
            return List.of();
        }
        List<Admission> admissions = sources.stream()
                .flatMap(source -> source.of(consumer, listener).stream())
                .toList();
        if (listener.versions() != VersionPolicy.NONE && admissions.isEmpty()) {
            throw new IllegalStateException("Consumer '" + consumer + "' asks for versions = " + listener.versions()
                    + ", but its container factory has no admissions that know versions");
        }
        return admissions;
    }
}
