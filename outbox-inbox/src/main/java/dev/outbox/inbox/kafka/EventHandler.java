package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ReceivedEvent;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;

/** What applies the effects of events, in the transaction of the calling thread. */
@FunctionalInterface
interface EventHandler {

    /**
     * @param events at least one, in order
     */
    void handle(List<ReceivedEvent> events, @Nullable Consumer<?, ?> consumer);

    /** Returns a handler that passes the events on one by one. */
    static EventHandler each(AcknowledgingConsumerAwareMessageListener<byte[], byte[]> listener) {
        return (events, consumer) -> events.forEach(event -> listener.onMessage(event.record(), null, consumer));
    }
}
