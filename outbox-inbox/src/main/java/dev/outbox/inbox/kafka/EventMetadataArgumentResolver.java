package dev.outbox.inbox.kafka;

import dev.outbox.inbox.EventMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.core.MethodParameter;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/** Gives a handler the envelope of its event. */
final class EventMetadataArgumentResolver implements HandlerMethodArgumentResolver {

    private final CloudEventHeaders envelope;

    EventMetadataArgumentResolver(CloudEventHeaders envelope) {
        this.envelope = envelope;
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType().equals(EventMetadata.class);
    }

    @Override
    public Object resolveArgument(MethodParameter parameter, Message<?> message) {
        if (message.getHeaders().get(KafkaHeaders.RAW_DATA) instanceof ConsumerRecord<?, ?> record) {
            return envelope.read(record);
        }
        throw new IllegalStateException("The message of a listener does not carry its record");
    }
}
