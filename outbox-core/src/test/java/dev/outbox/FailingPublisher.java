package dev.outbox;

import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A publisher that fails the records that the test picks. */
public final class FailingPublisher implements EventPublisher {

    private final EventPublisher publisher;
    private final Function<Delivery, @Nullable PublishFailure> failures;

    public FailingPublisher(EventPublisher publisher, Function<Delivery, @Nullable PublishFailure> failures) {
        this.publisher = publisher;
        this.failures = failures;
    }

    @Override
    public void prepare(Set<String> topics) throws InterruptedException {
        publisher.prepare(topics);
    }

    @Override
    public void publish(Delivery delivery, Callback callback) {
        PublishFailure failure = failures.apply(delivery);
        if (failure == null) {
            publisher.publish(delivery, callback);
        } else {
            callback.completed(failure);
        }
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
