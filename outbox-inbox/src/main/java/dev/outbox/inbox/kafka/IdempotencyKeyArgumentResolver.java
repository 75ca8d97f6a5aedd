package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.IdempotencyKey;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/** Gives a handler the key for what its transaction does not cover. */
final class IdempotencyKeyArgumentResolver implements HandlerMethodArgumentResolver {

    private final ConsumerName consumer;

    IdempotencyKeyArgumentResolver(ConsumerName consumer) {
        this.consumer = consumer;
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType().equals(IdempotencyKey.class);
    }

    @Override
    public Object resolveArgument(MethodParameter parameter, Message<?> message) {
        return IdempotencyKey.of(
                consumer, EventMessages.event(message).metadata().eventId());
    }
}
