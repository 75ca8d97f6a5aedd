package dev.outbox.chaos;

import dev.outbox.Delivery;
import dev.outbox.EventPublisher;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A publisher that acknowledges some records at once and sends them later or never. */
final class BrokenPublisher implements EventPublisher {

    private final EventPublisher publisher;
    private final int oneIn;
    private final @Nullable Executor later;
    private final AtomicLong records = new AtomicLong();

    /**
     * @param oneIn how many records there are to one that is treated so
     * @param delay before such a record is sent; null for never
     */
    BrokenPublisher(EventPublisher publisher, int oneIn, @Nullable Duration delay) {
        this.publisher = publisher;
        this.oneIn = oneIn;
        this.later = delay == null ? null : CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void prepare(Set<String> topics) throws InterruptedException {
        publisher.prepare(topics);
    }

    @Override
    public void publish(Delivery delivery, Callback callback) {
        if (records.incrementAndGet() % oneIn != 0) {
            publisher.publish(delivery, callback);
            return;
        }
        if (later != null) {
            later.execute(() -> publisher.publish(delivery, failure -> {}));
        }
        callback.completed(null);
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
