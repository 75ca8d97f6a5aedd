package dev.outbox.inbox.kafka;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotentListener;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A listener that writes its effect and then does what the test says. */
class Handler {

    static final String NAME = "handler";

    private final Effects effects;
    private final Behaviour behaviour;
    private final AtomicInteger calls = new AtomicInteger();

    Handler(Effects effects, Behaviour behaviour) {
        this.effects = effects;
        this.behaviour = behaviour;
    }

    @IdempotentListener(topics = "${topic}", consumer = NAME)
    void on(ConsumerRecord<byte[], byte[]> record, EventMetadata event, Order order) {
        calls.incrementAndGet();
        effects.add(NAME, event.eventId());
        behaviour.accept(record, effects);
    }

    int calls() {
        return calls.get();
    }

    record Order(String orderId, long amountCents) {}

    interface Behaviour extends BiConsumer<ConsumerRecord<byte[], byte[]>, Effects> {}
}
