package dev.outbox;

import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A publisher that tells of acknowledgements only when the test says so, and from then on at once. */
final class HeldAcknowledgements implements EventPublisher {

    private final EventPublisher publisher;
    private final ConcurrentLinkedQueue<Runnable> held = new ConcurrentLinkedQueue<>();
    private volatile boolean released;

    HeldAcknowledgements(EventPublisher publisher) {
        this.publisher = publisher;
    }

    int count() {
        return held.size();
    }

    void release() {
        released = true;
        for (Runnable callback = held.poll(); callback != null; callback = held.poll()) {
            callback.run();
        }
    }

    @Override
    public void prepare(Set<String> topics) throws InterruptedException {
        publisher.prepare(topics);
    }

    @Override
    public void publish(Delivery delivery, Callback callback) {
        publisher.publish(delivery, failure -> {
            held.add(() -> callback.completed(failure));
            if (released) {
                release();
            }
        });
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
