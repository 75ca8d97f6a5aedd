package dev.outbox.benchmarks;

import dev.outbox.Delivery;
import dev.outbox.EventPublisher;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Watches what the relay's publisher is told by the broker, before anything is marked.
 *
 * @param acknowledged told the id of every event
 */
record AckWatch(Consumer<UUID> acknowledged) implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof EventPublisher publisher ? new Watched(publisher, acknowledged) : bean;
    }

    private record Watched(EventPublisher publisher, Consumer<UUID> acknowledged) implements EventPublisher {

        @Override
        public void publish(Delivery delivery, Callback callback) {
            publisher.publish(delivery, failure -> {
                if (failure == null) {
                    acknowledged.accept(delivery.event().eventId());
                }
                callback.completed(failure);
            });
        }

        @Override
        public void prepare(Set<String> topics) throws InterruptedException {
            publisher.prepare(topics);
        }

        @Override
        public Availability availability() {
            return publisher.availability();
        }

        @Override
        public long publishTimeout() {
            return publisher.publishTimeout();
        }
    }
}
