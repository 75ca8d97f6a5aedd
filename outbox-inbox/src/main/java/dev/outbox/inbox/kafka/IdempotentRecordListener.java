package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.Inbox;
import java.util.UUID;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.ConsumerAwareMessageListener;

/**
 * Passes each record through the inbox to the listener behind it. When it returns, the database has committed.
 *
 * <p>It is no {@code DelegatingMessageListener}: the container would then leave the end of each observation to the
 * listener behind, which a duplicate never reaches.
 */
final class IdempotentRecordListener implements ConsumerAwareMessageListener<byte[], byte[]> {

    private final ConsumerName name;
    private final Inbox inbox;
    private final EventIds eventIds;
    private final AcknowledgingConsumerAwareMessageListener<byte[], byte[]> handler;

    IdempotentRecordListener(
            ConsumerName name,
            Inbox inbox,
            EventIds eventIds,
            AcknowledgingConsumerAwareMessageListener<byte[], byte[]> handler) {
        this.name = name;
        this.inbox = inbox;
        this.eventIds = eventIds;
        this.handler = handler;
    }

    @Override
    public void onMessage(ConsumerRecord<byte[], byte[]> record, @Nullable Consumer<?, ?> consumer) {
        UUID eventId = eventIds.require(record);
        if (record.value() == null) {
            throw new UnusableRecordException("The record has no payload: its value is null");
        }
        try {
            inbox.processOnce(name.value(), eventId, () -> handler.onMessage(record, null, consumer));
        } catch (Error e) {
            throw new HandlerErrorException(e);
        }
    }
}
