package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotencyKey;
import dev.outbox.inbox.ReceivedEvent;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/** Gives a handler all events of a transaction as lists, of which each parameter is one. */
final class EventListArguments implements HandlerMethodArgumentResolver {

    private final ConsumerName consumer;
    private final PayloadConverter payloads;

    EventListArguments(ConsumerName consumer, PayloadConverter payloads) {
        this.consumer = consumer;
        this.payloads = payloads;
    }

    /** Whether the method takes its events in lists. */
    static boolean areTakenBy(Method method) {
        return Arrays.asList(method.getParameterTypes()).contains(List.class);
    }

    /**
     * @throws IllegalStateException if the method takes lists, and something that cannot stand beside them
     */
    static void check(Method method) {
        int payloads = 0;
        for (int index = 0; index < method.getParameterCount(); index++) {
            MethodParameter parameter = new MethodParameter(method, index);
            Class<?> element = elementType(parameter);
            if (!parameter.getParameterType().equals(List.class)
                    || parameter.getParameterAnnotations().length > 0
                    || element.equals(Object.class)
                    || Message.class.isAssignableFrom(element)) {
                throw ListenerContract.refusal(
                        method,
                        "takes a batch in lists, beside which its parameter " + (index + 1) + " cannot stand. Let each"
                                + " parameter be a List of the payload's type, of EventMetadata, of IdempotencyKey or of ConsumerRecord,"
                                + " without annotations; or take one event");
            }
            payloads += isPayload(element) ? 1 : 0;
        }
        if (payloads > 1) {
            throw ListenerContract.refusal(method, "takes " + payloads + " lists of payloads; an event has one");
        }
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return true;
    }

    @Override
    public Object resolveArgument(MethodParameter parameter, Message<?> message) {
        return ((EventList) message.getPayload())
                .events().stream().map(event -> argument(parameter, event)).toList();
    }

    private Object argument(MethodParameter parameter, ReceivedEvent event) {
        Class<?> element = elementType(parameter);
        if (element.equals(EventMetadata.class)) {
            return event.metadata();
        }
        if (element.equals(ConsumerRecord.class)) {
            return event.record();
        }
        if (element.equals(IdempotencyKey.class)) {
            return IdempotencyKey.of(consumer, event.metadata().eventId());
        }
        Message<byte[]> payload = EventMessages.of(event);
        return element.equals(byte[].class)
                ? payload.getPayload()
                : payloads.fromMessage(payload, element, parameter.nested());
    }

    private static boolean isPayload(Class<?> element) {
        return !element.equals(EventMetadata.class)
                && !element.equals(ConsumerRecord.class)
                && !element.equals(IdempotencyKey.class);
    }

    private static Class<?> elementType(MethodParameter parameter) {
        return ResolvableType.forMethodParameter(parameter)
                .asCollection()
                .getGeneric(0)
                .resolve(Object.class);
    }

    /** What the message carries whose arguments are resolved. */
    record EventList(List<ReceivedEvent> events) {

        /** Says how many events there are, and nothing of their content. */
        @Override
        public String toString() {
            return events.size() + " events";
        }
    }
}
