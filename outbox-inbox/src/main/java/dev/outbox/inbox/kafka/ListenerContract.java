package dev.outbox.inbox.kafka;

import dev.outbox.inbox.DeadLetterSettings;
import dev.outbox.inbox.IdempotentListener;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.config.MultiMethodKafkaListenerEndpoint;
import org.springframework.kafka.support.Acknowledgment;

/** What an endpoint must be like to be an idempotent listener. */
final class ListenerContract {

    private static final String GENERATED_ID = "org.springframework.kafka.KafkaListenerEndpointContainer#";
    private static final int MAX_TOPIC_LENGTH = 249;

    private ListenerContract() {}

    static MethodKafkaListenerEndpoint<?, ?> check(KafkaListenerEndpoint endpoint, DeadLetterSettings deadLetters) {
        if (!(endpoint instanceof MethodKafkaListenerEndpoint<?, ?> listener)
                || endpoint instanceof MultiMethodKafkaListenerEndpoint) {
            throw new IllegalStateException("The container factory " + IdempotentListener.CONTAINER_FACTORY
                    + " serves methods with @IdempotentListener only, not " + endpoint);
        }
        Method method = listener.getMethod();
        String id = listener.getId();
        if (id == null || id.isBlank() || id.startsWith(GENERATED_ID)) {
            throw refusal(method, "has no consumer name; set @IdempotentListener(consumer = …)");
        }
        if (Boolean.TRUE.equals(listener.getBatchListener())) {
            throw refusal(method, "is a batch listener of spring-kafka; use @IdempotentListener(batch = true)");
        }
        if (!method.getReturnType().equals(void.class)) {
            throw refusal(
                    method,
                    "returns " + method.getReturnType().getSimpleName() + "; let it return void. Work that ends after"
                            + " the method, or a reply, would not belong to the transaction");
        }
        if (Arrays.asList(method.getParameterTypes()).contains(Acknowledgment.class)) {
            throw refusal(method, "takes an Acknowledgment; remove it. Offsets are committed after the transaction");
        }
        for (String topic : listener.getTopics()) {
            if (deadLetters.topicEnabled() && deadLetters.topicFor(topic).length() > MAX_TOPIC_LENGTH) {
                throw refusal(
                        method,
                        "consumes topic " + topic + ", whose dead-letter topic would have a name of more" + " than "
                                + MAX_TOPIC_LENGTH + " characters");
            }
        }
        return listener;
    }

    /** Refuses a method whose parameters are not to be had in the mode in which it runs. */
    static void check(Method method, ListenerOptions options) {
        if (options.batch() && EventListArguments.areTakenBy(method)) {
            EventListArguments.check(method);
        }
        if (options.parallelism() > 1
                && Arrays.asList(method.getParameterTypes()).contains(Consumer.class)) {
            throw refusal(
                    method,
                    "takes the Kafka Consumer, which only the consuming thread may use; remove the parameter, or"
                            + " parallelism");
        }
    }

    /** A pattern that also matched the dead-letter topics would dead-letter their records again, without end. */
    static Pattern withoutDeadLetters(Pattern topics, DeadLetterSettings deadLetters) {
        return Pattern.compile(
                "(?!.*" + Pattern.quote(deadLetters.topicSuffix()) + "$)(?:" + topics.pattern() + ")", topics.flags());
    }

    static IllegalStateException refusal(Method method, String reason) {
        return new IllegalStateException(nameOf(method) + " " + reason);
    }

    /** How messages name a listener, at the beginning of a sentence. */
    static String nameOf(Method method) {
        return "The idempotent listener " + method.getDeclaringClass().getName() + "." + method.getName();
    }
}
