package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ReceivedEvent;
import java.lang.reflect.Type;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.KafkaNull;
import org.springframework.kafka.support.SimpleKafkaHeaderMapper;
import org.springframework.kafka.support.converter.KafkaMessageHeaders;
import org.springframework.kafka.support.converter.MessagingMessageConverter;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.support.MessageBuilder;

/**
 * Makes of a record the message that a handler's arguments are taken from. The payload stays bytes, so that neither logs
 * nor errors on the way to the handler can show it.
 */
final class EventMessages extends MessagingMessageConverter {

    private static final String EVENT = "outbox_inbox_event";

    private final EventReader reader;

    EventMessages(EventReader reader) {
        this.reader = reader;
        // Debezium writes a header "id", which spring-messaging reserves for an id of another type.
        setHeaderMapper(SimpleKafkaHeaderMapper.forInboundOnlyWithMatchers(
                "!" + MessageHeaders.ID, "!" + MessageHeaders.TIMESTAMP, "*"));
        setRawRecordHeader(true);
    }

    /** Returns a message of an event's payload, for a converter. */
    static Message<byte[]> of(ReceivedEvent event) {
        byte[] payload = event.payload();
        if (payload == null) {
            throw new UnusableRecordException("The record has no payload: its value is null");
        }
        return MessageBuilder.withPayload(payload).setHeader(EVENT, event).build();
    }

    /** Returns the event that a message was made of. */
    static ReceivedEvent event(Message<?> message) {
        if (message.getHeaders().get(EVENT) instanceof ReceivedEvent event) {
            return event;
        }
        throw new IllegalStateException("The message of a listener does not carry its event");
    }

    @Override
    @SuppressWarnings("unchecked") // The consumers of idempotent listeners read bytes, and nothing else.
    public Message<?> toMessage(
            ConsumerRecord<?, ?> record,
            @Nullable Object acknowledgment,
            @Nullable Object consumer,
            @Nullable Type payloadType) {
        ReceivedEvent event = reader.read((ConsumerRecord<byte[], byte[]>) record);
        Message<?> message = super.toMessage(record, acknowledgment, consumer, payloadType);
        KafkaMessageHeaders headers = (KafkaMessageHeaders) message.getHeaders();
        headers.getRawHeaders().put(EVENT, event);
        byte[] payload = event.payload();
        return MessageBuilder.createMessage(payload == null ? KafkaNull.INSTANCE : payload, headers);
    }
}
