package dev.outbox.inbox.kafka;

import dev.outbox.inbox.IdempotentListener;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;

/** Finds the annotation of a listener, for what spring-kafka does not read from it. */
final class ListenerAnnotation {

    private ListenerAnnotation() {}

    /** Returns the method that has the annotation: of a bean behind an interface, spring-kafka knows the interface's only. */
    static Method method(MethodKafkaListenerEndpoint<?, ?> listener) {
        return AopUtils.getMostSpecificMethod(listener.getMethod(), AopUtils.getTargetClass(listener.getBean()));
    }

    static @Nullable IdempotentListener find(MethodKafkaListenerEndpoint<?, ?> listener) {
        return find(method(listener));
    }

    static @Nullable IdempotentListener find(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, IdempotentListener.class);
    }
}
