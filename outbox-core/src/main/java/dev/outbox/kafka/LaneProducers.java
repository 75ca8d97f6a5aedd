package dev.outbox.kafka;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactional producers, one for each set of lanes. One whose transaction did not end as asked for is given up: the next
 * of the same id ends it.
 */
final class LaneProducers implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LaneProducers.class);

    /** As many as there are lanes. */
    private static final int LIMIT = 64;

    private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Function<String, Producer<byte[], byte[]>> factory;

    /** Those that no transaction uses, the longest idle first. */
    private final Map<String, Idle> idle = new LinkedHashMap<>();

    private boolean closed;

    /**
     * @param factory makes a producer for lanes
     */
    LaneProducers(Function<String, Producer<byte[], byte[]>> factory) {
        this.factory = factory;
    }

    /** Returns {@code null} when the transaction is committed. */
    Transaction.@Nullable Problem inTransaction(String lanes, Transaction transaction) throws InterruptedException {
        Producer<byte[], byte[]> producer = null;
        boolean reusable = false;
        try {
            producer = take(lanes);
            producer.beginTransaction();
            Transaction.Problem problem = transaction.send(producer);
            if (problem == null) {
                producer.commitTransaction();
                reusable = true;
            } else {
                reusable = abort(lanes, producer);
            }
            return problem;
        } catch (InterruptedException | InterruptException e) {
            // Kafka sets the flag again, and would then refuse to abort.
            boolean interrupted = Thread.interrupted();
            log.debug("Interrupted in a transaction of lanes {}, flag set: {}", lanes, interrupted);
            reusable = producer != null && abort(lanes, producer);
            throw new InterruptedException("interrupted in a transaction of lanes " + lanes);
        } catch (RuntimeException e) {
            reusable = producer != null && abort(lanes, producer);
            return transaction.failedAsAWhole(e);
        } finally {
            if (producer != null) {
                giveBack(lanes, producer, reusable);
            }
        }
    }

    private Producer<byte[], byte[]> take(String lanes) {
        synchronized (idle) {
            Idle known = idle.remove(lanes);
            if (known != null) {
                return known.producer();
            }
        }
        Producer<byte[], byte[]> producer = factory.apply(lanes);
        try {
            producer.initTransactions();
            return producer;
        } catch (RuntimeException e) {
            RenewableProducer.closeAside(producer);
            throw e;
        }
    }

    /** Tells whether the producer can be used again. */
    private static boolean abort(String lanes, Producer<byte[], byte[]> producer) {
        try {
            producer.abortTransaction();
            return true;
        } catch (RuntimeException e) {
            log.warn(
                    "The transactional producer of lanes {} can't go on and will be replaced: {}", lanes, e.toString());
            return false;
        }
    }

    private void giveBack(String lanes, Producer<byte[], byte[]> producer, boolean reusable) {
        synchronized (idle) {
            long now = System.nanoTime();
            Idle superfluous = reusable && !closed ? idle.put(lanes, new Idle(producer, now)) : new Idle(producer, now);
            if (superfluous != null) {
                RenewableProducer.closeAside(superfluous.producer());
            }
            idle.values().removeIf(one -> {
                boolean ends = idle.size() > LIMIT || now - one.since() > IDLE_NANOS;
                if (ends) {
                    RenewableProducer.closeAside(one.producer());
                }
                return ends;
            });
        }
    }

    @Override
    public void close() {
        synchronized (idle) {
            closed = true;
            idle.values().forEach(one -> one.producer().close(CLOSE_TIMEOUT));
            idle.clear();
        }
    }

    private record Idle(Producer<byte[], byte[]> producer, long since) {}
}
