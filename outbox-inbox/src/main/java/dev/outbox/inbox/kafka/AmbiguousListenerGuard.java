package dev.outbox.inbox.kafka;

import dev.outbox.inbox.IdempotentListener;
import java.lang.reflect.AnnotatedElement;
import java.util.Map;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.KafkaListenerAnnotationBeanPostProcessor.AnnotationEnhancer;

/**
 * Refuses a method that is both an {@link IdempotentListener} and a {@link KafkaListener}: spring-kafka would see the
 * second only, and the method would run without the inbox. As a bean it is found by spring-kafka; it changes nothing.
 */
public final class AmbiguousListenerGuard implements AnnotationEnhancer {

    /**
     * @throws IllegalStateException if the method has both annotations
     */
    @Override
    public Map<String, Object> apply(Map<String, Object> attributes, AnnotatedElement listener) {
        if (listener.isAnnotationPresent(KafkaListener.class)
                && AnnotatedElementUtils.isAnnotated(listener, IdempotentListener.class)) {
            throw new IllegalStateException(listener + " has both @IdempotentListener and @KafkaListener, and would run"
                    + " without the inbox. Remove @KafkaListener");
        }
        return attributes;
    }
}
