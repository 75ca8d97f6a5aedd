package dev.outbox.benchmarks;

import dev.outbox.Delivery;
import dev.outbox.OutboxListener;
import dev.outbox.PublishFailure;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counts what the relay has marked as published. */
final class PublishedCount implements OutboxListener {

    private final AtomicLong total = new AtomicLong();
    private volatile @Nullable Progress progress;

    /** From now on this round is told. */
    void tell(Progress round) {
        progress = round;
    }

    long total() {
        return total.get();
    }

    @Override
    public void published(Delivery delivery) {
        total.incrementAndGet();
        Progress round = progress;
        if (round != null) {
            round.published(1);
        }
    }

    /** A scenario in which something fails measures something else. */
    @Override
    public void retried(Delivery delivery, PublishFailure failure) {
        failed(failure.cause());
    }

    @Override
    public void parked(Delivery delivery, PublishFailure failure) {
        failed(failure.cause());
    }

    @Override
    public void cycleFailed(Throwable failure) {
        failed(failure);
    }

    private void failed(Throwable cause) {
        Progress round = progress;
        if (round != null) {
            round.failed(cause);
        }
    }
}
