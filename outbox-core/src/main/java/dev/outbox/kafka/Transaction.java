package dev.outbox.kafka;

import dev.outbox.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One batch in one transaction.
 *
 * <p>The first record that fails ends it. Its failure makes the client fail all that is under way, often with the very same
 * exception, so nothing can be learnt from the others.
 */
final class Transaction {

    private final List<Entry> entries;
    private final Duration limit;

    /** Sent and without outcome, and one for the sending itself. */
    private final AtomicInteger pending = new AtomicInteger(1);

    private final CompletableFuture<@Nullable Problem> end = new CompletableFuture<>();
    private final AtomicReference<@Nullable Problem> alongWithAnother = new AtomicReference<>();

    /**
     * @param entries at least one
     * @param limit the longest time to send and to wait for acknowledgements
     */
    Transaction(List<Entry> entries, Duration limit) {
        this.entries = entries;
        this.limit = limit;
    }

    /**
     * Sends all and waits for all acknowledgements, in a transaction that has begun.
     *
     * @return {@code null} when it can be committed
     */
    @Nullable
    Problem send(Producer<byte[], byte[]> producer) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        for (Entry entry : entries) {
            if (end.isDone() || System.nanoTime() > deadline || !send(producer, entry)) {
                break;
            }
        }
        outcome();
        try {
            return end.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (java.util.concurrent.TimeoutException e) {
            return new Problem(null, new TimeoutException("The batch was not acknowledged within " + limit));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the same result
    private boolean send(Producer<byte[], byte[]> producer, Entry entry) {
        pending.incrementAndGet();
        try {
            producer.send(entry.record(), (metadata, failure) -> completed(entry, failure));
            return true;
        } catch (InterruptException e) {
            throw e;
        } catch (RuntimeException e) {
            completed(entry, e);
            return false;
        }
    }

    private void completed(Entry entry, @Nullable Exception failure) {
        if (failure != null) {
            if (ClusterFailures.isAlongWithAnother(failure)) {
                alongWithAnother.compareAndSet(null, new Problem(null, failure));
            } else {
                end.complete(new Problem(ClusterFailures.isProducers(failure) ? null : entry, failure));
            }
        }
        outcome();
    }

    private void outcome() {
        if (pending.decrementAndGet() == 0) {
            end.complete(alongWithAnother.get());
        }
    }

    Problem failedAsAWhole(Exception cause) {
        return new Problem(null, cause);
    }

    /** One record of the batch. */
    record Entry(Delivery delivery, ProducerRecord<byte[], byte[]> record, Pass pass) {}

    /**
     * Why the batch was not committed.
     *
     * @param entry whose failure it was; {@code null} if it was the transaction's
     */
    record Problem(@Nullable Entry entry, Exception cause) {}
}
