package dev.outbox;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the records that a publisher does not refuse at once. */
final class SentRecords implements EventPublisher {

    private final EventPublisher publisher;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger tried = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();

    SentRecords(EventPublisher publisher) {
        this.publisher = publisher;
    }

    /** Counts anew. */
    void watch() {
        tried.set(0);
        mostAtOnce.set(0);
    }

    int tried() {
        return tried.get();
    }

    int mostAtOnce() {
        return mostAtOnce.get();
    }

    @Override
    public void publish(Delivery delivery, Callback callback) {
        AtomicInteger state = new AtomicInteger();
        publisher.publish(delivery, failure -> {
            if (state.getAndSet(2) == 1) {
                underWay.decrementAndGet();
            }
            callback.completed(failure);
        });
        if (state.compareAndSet(0, 1)) {
            tried.incrementAndGet();
            mostAtOnce.accumulateAndGet(underWay.incrementAndGet(), Math::max);
        }
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
