package dev.outbox.inbox.kafka;

import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.OutsideWindow;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;

/** What the annotation of a listener says beyond what spring-kafka reads. */
final class ListenerAnnotation {

    private ListenerAnnotation() {}

    /**
     * Returns the policy for events outside the window, the given one if the annotation has none.
     *
     * @throws IllegalStateException if it has several
     */
    static OutsideWindow outsideWindow(KafkaListenerEndpoint endpoint, OutsideWindow configured) {
        IdempotentListener annotation = find(endpoint);
        if (annotation == null || annotation.outsideWindow().length == 0) {
            return configured;
        }
        if (annotation.outsideWindow().length > 1) {
            throw new IllegalStateException("The idempotent listener '" + endpoint.getId() + "' has "
                    + annotation.outsideWindow().length + " policies in outsideWindow; leave one");
        }
        return annotation.outsideWindow()[0];
    }

    private static @Nullable IdempotentListener find(KafkaListenerEndpoint endpoint) {
        if (!(endpoint instanceof MethodKafkaListenerEndpoint<?, ?> listener)) {
            return null;
        }
        // The endpoint's method may be that of an interface, if the bean is a proxy.
        Method method =
                AopUtils.getMostSpecificMethod(listener.getMethod(), AopUtils.getTargetClass(listener.getBean()));
        return AnnotatedElementUtils.findMergedAnnotation(method, IdempotentListener.class);
    }
}
