package dev.outbox.inbox.kafka;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotentListener;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Listeners that write their effects and then do what the test says, one for each mode. */
final class Modes {

    static final String BATCH = "batch";
    static final String LISTS = "lists";
    static final String PARALLEL = "parallel";

    private Modes() {}

    static class Batch {

        private final Effects effects;
        private final Handler.Behaviour behaviour;
        private final AtomicInteger calls = new AtomicInteger();

        Batch(Effects effects, Handler.Behaviour behaviour) {
            this.effects = effects;
            this.behaviour = behaviour;
        }

        @IdempotentListener(topics = "${topic}", consumer = BATCH, batch = true)
        void on(ConsumerRecord<byte[], byte[]> record, EventMetadata event, Handler.Order order) {
            calls.incrementAndGet();
            effects.add(BATCH, event.eventId());
            behaviour.accept(record, effects);
        }

        int calls() {
            return calls.get();
        }
    }

    static class Lists {

        private final Effects effects;
        private final Handler.Behaviour behaviour;
        private final AtomicInteger calls = new AtomicInteger();

        Lists(Effects effects, Handler.Behaviour behaviour) {
            this.effects = effects;
            this.behaviour = behaviour;
        }

        @IdempotentListener(topics = "${topic}", consumer = LISTS, batch = true)
        void on(List<Handler.Order> orders, List<EventMetadata> events, List<ConsumerRecord<byte[], byte[]>> records) {
            calls.incrementAndGet();
            for (int index = 0; index < orders.size(); index++) {
                if (orders.get(index).amountCents() != 4200) {
                    throw new IllegalArgumentException("another order");
                }
                effects.add(LISTS, events.get(index).eventId());
                behaviour.accept(records.get(index), effects);
            }
        }

        int calls() {
            return calls.get();
        }
    }

    static class Parallel {

        private final Effects effects;
        private final Handler.Behaviour behaviour;

        Parallel(Effects effects, Handler.Behaviour behaviour) {
            this.effects = effects;
            this.behaviour = behaviour;
        }

        @IdempotentListener(topics = "${topic}", consumer = PARALLEL, parallelism = "${workers:4}")
        void on(ConsumerRecord<byte[], byte[]> record, EventMetadata event, Handler.Order order) {
            effects.add(PARALLEL, event.eventId());
            behaviour.accept(record, effects);
        }
    }
}
