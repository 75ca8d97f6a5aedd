package dev.outbox.inbox.kafka;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Works on many keys at once, and on the records of one key in order. Thread-safe: several consumers share the threads.
 *
 * <p>A thread that has had nothing to do for a while ends, so nothing has to be closed.
 */
final class KeyedWorkers {

    private static final Duration IDLE = Duration.ofSeconds(10);

    private final ThreadPoolExecutor threads;
    private final int number;

    KeyedWorkers(int number, ThreadFactory factory) {
        this.number = number;
        this.threads = new ThreadPoolExecutor(
                number, number, IDLE.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), factory);
        this.threads.allowCoreThreadTimeOut(true);
    }

    /** Most keys that are worked on at once. */
    int number() {
        return number;
    }

    /**
     * Returns when all keys have been worked on.
     *
     * @param work what is done with the records of one key; it throws nothing
     * @param interrupted called once if the waiting thread is interrupted, which does not end the wait
     */
    void work(
            Collection<ConsumerRecord<byte[], byte[]>> records,
            Consumer<List<ConsumerRecord<byte[], byte[]>>> work,
            Runnable interrupted) {
        Collection<List<ConsumerRecord<byte[], byte[]>>> keys = byKey(records);
        CountDownLatch open = new CountDownLatch(keys.size());
        for (List<ConsumerRecord<byte[], byte[]>> key : keys) {
            threads.execute(() -> {
                try {
                    work.accept(key);
                } finally {
                    open.countDown();
                }
            });
        }
        await(open, interrupted);
    }

    /** The key with the most records is begun first, because it takes longest. Records without a key are one key. */
    private static Collection<List<ConsumerRecord<byte[], byte[]>>> byKey(
            Collection<ConsumerRecord<byte[], byte[]>> records) {
        Map<Key, List<ConsumerRecord<byte[], byte[]>>> keys = new LinkedHashMap<>();
        records.forEach(record ->
                keys.computeIfAbsent(Key.of(record), key -> new ArrayList<>()).add(record));
        List<List<ConsumerRecord<byte[], byte[]>>> sorted = new ArrayList<>(keys.values());
        sorted.sort(Comparator.comparingInt((List<?> key) -> key.size()).reversed());
        return sorted;
    }

    /** Also an interrupted thread waits: who went on would not know how far the records have come. */
    private static void await(CountDownLatch open, Runnable interrupted) {
        boolean restore = false;
        while (true) {
            try {
                open.await();
                break;
            } catch (InterruptedException e) {
                restore = true;
                interrupted.run();
            }
        }
        if (restore) {
            Thread.currentThread().interrupt();
        }
    }

    private record Key(
            String topic, int partition, @Nullable ByteBuffer key) {

        private static Key of(ConsumerRecord<byte[], byte[]> record) {
            return new Key(
                    record.topic(), record.partition(), record.key() == null ? null : ByteBuffer.wrap(record.key()));
        }
    }
}
