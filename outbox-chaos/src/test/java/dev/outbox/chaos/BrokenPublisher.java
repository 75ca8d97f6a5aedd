package dev.outbox.chaos;

import dev.outbox.Delivery;
import dev.outbox.EventPublisher;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A publisher that acknowledges some records at once and sends them later or never. */
final class BrokenPublisher implements EventPublisher {

    private final EventPublisher publisher;
    private final int oneIn;
    private final @Nullable Duration delay;
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "late-records");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicLong records = new AtomicLong();

    /**
     * @param oneIn how many records there are to one that is treated so
     * @param delay before such a record is sent; null for never
     */
    BrokenPublisher(EventPublisher publisher, int oneIn, @Nullable Duration delay) {
        this.publisher = publisher;
        this.oneIn = oneIn;
        this.delay = delay;
    }

    @Override
    public void prepare(Set<String> topics) throws InterruptedException {
        publisher.prepare(topics);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // that is what is broken
    public void publish(Delivery delivery, Callback callback) {
        if (records.incrementAndGet() % oneIn != 0) {
            publisher.publish(delivery, callback);
            return;
        }
        if (delay != null) {
            later.schedule(() -> publisher.publish(delivery, failure -> {}), delay.toMillis(), TimeUnit.MILLISECONDS);
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
