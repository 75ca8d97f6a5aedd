package dev.outbox.kafka;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A producer that is replaced when it can't send any more. */
final class RenewableProducer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RenewableProducer.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Supplier<Producer<byte[], byte[]>> factory;
    private volatile Producer<byte[], byte[]> producer;
    private volatile boolean retired;
    private volatile boolean closed;

    RenewableProducer(Supplier<Producer<byte[], byte[]>> factory) {
        this.factory = factory;
        this.producer = factory.get();
    }

    /** Returns the latest producer, retired or not. */
    Producer<byte[], byte[]> get() {
        return producer;
    }

    /** Whether a failure of this producer is to be believed: one that is being closed fails whatever it holds. */
    boolean isInUse(Producer<byte[], byte[]> one) {
        return one == producer && !retired && !closed;
    }

    boolean isClosed() {
        return closed;
    }

    /** Gives a producer up, if it is in use. What it has under way fails; the callbacks are told. */
    synchronized boolean retire(Producer<byte[], byte[]> failed, Exception cause) {
        boolean retires = isInUse(failed);
        if (retires) {
            retired = true;
            log.warn("The producer can't go on and will be replaced: {}", cause.toString());
            closeAside(failed);
        }
        return retires;
    }

    /** Makes a new producer if the latest is retired. */
    synchronized void renew() {
        if (retired && !closed) {
            producer = factory.get();
            retired = false;
            log.info("The producer was replaced");
        }
    }

    /** On a thread of its own: closing waits for the producer's own thread, which may be the caller. */
    static void closeAside(Producer<byte[], byte[]> producer) {
        Thread thread = new Thread(() -> producer.close(Duration.ZERO), "outbox-producer-close");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (!retired) {
            producer.close(CLOSE_TIMEOUT);
        }
    }
}
