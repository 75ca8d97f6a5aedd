package dev.outbox.inbox.kafka;

import dev.outbox.inbox.IdempotentListener;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.annotation.KafkaListenerAnnotationBeanPostProcessor.AnnotationEnhancer;
import org.springframework.util.StringUtils;

/**
 * Derives the consumer name of an {@link IdempotentListener} that has none, and refuses two methods with one name. As a
 * bean it is found by spring-kafka.
 */
public final class ListenerNames implements AnnotationEnhancer, BeanFactoryAware {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerNames.class);
    private static final String ID = "id";

    private final Map<String, Method> methods = new ConcurrentHashMap<>();
    private @Nullable ConfigurableBeanFactory beanFactory;

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beanFactory = beanFactory instanceof ConfigurableBeanFactory configurable ? configurable : null;
    }

    /**
     * @throws IllegalStateException if another method has the name, or it resolves to nothing
     */
    @Override
    public Map<String, Object> apply(Map<String, Object> attributes, AnnotatedElement listener) {
        if (!(listener instanceof Method method)
                || !AnnotatedElementUtils.isAnnotated(method, IdempotentListener.class)) {
            return attributes;
        }
        Map<String, Object> named = new LinkedHashMap<>(attributes);
        String configured = Objects.toString(attributes.get(ID), "");
        boolean derived = !StringUtils.hasText(configured);
        String name = derived ? derive(method) : configured;
        named.put(ID, name);
        boolean first = isFirst(name, method);
        if (derived && first) {
            LOG.warn(
                    "The idempotent listener {} has no consumer name and gets '{}'. If class or method are renamed, it"
                            + " applies every event again that is still in Kafka: fix the name by"
                            + " @IdempotentListener(consumer = \"{}\")",
                    method,
                    name,
                    name);
        }
        return named;
    }

    private static String derive(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    private boolean isFirst(String name, Method method) {
        String resolved = resolve(name);
        if (resolved == null) {
            return true;
        }
        if (!StringUtils.hasText(resolved)) {
            throw new IllegalStateException("The idempotent listener " + method + " has no consumer name: " + name
                    + " resolves to nothing. Set what stands there, or another @IdempotentListener(consumer = …)");
        }
        Method other = methods.putIfAbsent(resolved, method);
        if (other != null && !other.equals(method)) {
            throw new IllegalStateException("Two idempotent listeners have the consumer name '" + resolved + "': "
                    + other + " and " + method + ". Each would take for duplicates what the other has processed. Give"
                    + " them different names by @IdempotentListener(consumer = …)");
        }
        return other == null;
    }

    /** Returns null for what cannot be resolved yet; spring-kafka compares the names once more. */
    private @Nullable String resolve(String name) {
        if (beanFactory == null) {
            return name;
        }
        try {
            String text = beanFactory.resolveEmbeddedValue(name);
            BeanExpressionResolver expressions = beanFactory.getBeanExpressionResolver();
            return expressions == null
                    ? text
                    : Objects.toString(expressions.evaluate(text, new BeanExpressionContext(beanFactory, null)), null);
        } catch (RuntimeException e) {
            LOG.debug("The consumer name {} cannot be resolved yet", name, e);
            return null;
        }
    }
}
