package dev.outbox.benchmarks;

import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.util.concurrent.atomic.AtomicLong;

/** Publishes one event and waits for its acknowledgement; what it throws is the library's to repeat. Any thread. */
final class NamastackHandler implements OutboxTypedHandler<OrderChanged> {

    private static final long NEVER = Long.MIN_VALUE;

    private final Send send;
    private final AtomicLong began = new AtomicLong(NEVER);
    private final AtomicLong acknowledged = new AtomicLong();

    NamastackHandler(Send send) {
        this.send = send;
    }

    @Override
    public void handle(OrderChanged order, OutboxRecordMetadata metadata) {
        began.compareAndSet(NEVER, System.nanoTime());
        try {
            send.send(order);
        } catch (Exception e) {
            throw new IllegalStateException("An event of %s was not published".formatted(order.order()), e);
        }
        acknowledged.incrementAndGet();
    }

    /** The time of the first call; there must have been one. */
    long began() {
        return began.get();
    }

    long acknowledged() {
        return acknowledged.get();
    }

    /** Publishes and waits. */
    @FunctionalInterface
    interface Send {

        void send(OrderChanged order) throws Exception;
    }
}
