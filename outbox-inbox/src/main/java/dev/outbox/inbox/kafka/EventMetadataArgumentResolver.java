package dev.outbox.inbox.kafka;

import dev.outbox.inbox.EventMetadata;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/** Gives a handler the envelope of its event. */
final class EventMetadataArgumentResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType().equals(EventMetadata.class);
    }

    @Override
    public Object resolveArgument(MethodParameter parameter, Message<?> message) {
        return EventMessages.event(message).metadata();
    }
}
