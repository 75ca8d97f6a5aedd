package dev.outbox.inbox.kafka;

import dev.outbox.inbox.IdempotentListener;
import java.lang.reflect.Method;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;

/**
 * What {@link IdempotentListener} says besides that which spring-kafka reads from it.
 *
 * @param batch whether a poll is one transaction
 * @param parallelism how many events are processed at once, at least 1
 */
record ListenerOptions(boolean batch, int parallelism) {

    static ListenerOptions of(MethodKafkaListenerEndpoint<?, ?> listener, @Nullable BeanFactory beanFactory) {
        return of(ListenerAnnotation.method(listener), text -> resolve(text, beanFactory));
    }

    /**
     * @param placeholders what stands for a text with placeholders
     * @throws IllegalStateException if an option is none
     */
    static ListenerOptions of(Method method, UnaryOperator<String> placeholders) {
        IdempotentListener annotation = ListenerAnnotation.find(method);
        if (annotation == null) {
            return new ListenerOptions(false, 1);
        }
        String text = placeholders.apply(annotation.parallelism()).strip();
        int parallelism = text.isEmpty() ? 1 : parse(method, text);
        if (annotation.batch() && parallelism > 1) {
            throw ListenerContract.refusal(
                    method,
                    "has both batch = true and parallelism " + parallelism + "; remove one of the two. The"
                            + " one transaction of a batch belongs to one thread");
        }
        return new ListenerOptions(annotation.batch(), parallelism);
    }

    private static int parse(Method method, String text) {
        try {
            int parallelism = Integer.parseInt(text);
            if (parallelism >= 1) {
                return parallelism;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw ListenerContract.refusal(method, "has parallelism '" + text + "'; set a number of at least 1");
    }

    /** Returns a text with its placeholders and expressions resolved. */
    static String resolve(String text, @Nullable BeanFactory beanFactory) {
        if (!(beanFactory instanceof ConfigurableBeanFactory beans)) {
            return text;
        }
        String resolved = beans.resolveEmbeddedValue(text);
        BeanExpressionResolver expressions = beans.getBeanExpressionResolver();
        Object value =
                expressions == null ? resolved : expressions.evaluate(resolved, new BeanExpressionContext(beans, null));
        return value == null ? "" : value.toString();
    }
}
