package dev.outbox.inbox.kafka;

import dev.outbox.inbox.RecordPosition;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.MessageListenerContainer;

/** One poll whose keys are processed at once, and what has become of its records. Workers call it at the same time. */
final class ParallelPoll {

    private final EventProcessor processor;
    private final RecordFailures failures;
    private final BooleanSupplier running;
    private final int failuresThatEndIt;
    private final Set<RecordPosition> done = ConcurrentHashMap.newKeySet();
    private final Map<RecordPosition, RuntimeException> failed = new ConcurrentHashMap<>();
    private final AtomicInteger transientFailures = new AtomicInteger();
    private volatile boolean over;
    private volatile @Nullable Error error;

    /**
     * @param failuresThatEndIt number of failures that the database causes after which nothing more is tried
     */
    ParallelPoll(EventProcessor processor, RecordFailures failures, BooleanSupplier running, int failuresThatEndIt) {
        this.processor = processor;
        this.failures = failures;
        this.running = running;
        this.failuresThatEndIt = failuresThatEndIt;
    }

    /** Processes the records of one key in order, up to the first that fails or has to wait for its next attempt. */
    void process(List<ConsumerRecord<byte[], byte[]>> key) {
        for (ConsumerRecord<byte[], byte[]> record : key) {
            if (over || !running.getAsBoolean() || failures.known().remainingDelay(record) > 0 || !succeeds(record)) {
                return;
            }
        }
    }

    /** Has nothing more tried. What is under way comes to its end. */
    void end() {
        over = true;
    }

    /**
     * @throws UnfinishedPollException if something has not been done
     */
    void requireDone(Collection<ConsumerRecord<byte[], byte[]>> records) {
        Error thrown = error;
        if (thrown != null) {
            throw thrown;
        }
        if (done.size() < records.size()) {
            throw new UnfinishedPollException(this);
        }
    }

    /** Takes each record that failed to its retry or to the dead letters, and says how far the poll has come. */
    PollProgress settle(
            ConsumerRecords<?, ?> poll, Consumer<?, ?> consumer, MessageListenerContainer container, PollWatch watch) {
        PollProgress progress = new PollProgress(poll);
        boolean late = false;
        for (ConsumerRecord<?, ?> record : poll) {
            RecordPosition position = position(record);
            RuntimeException failure = failed.get(position);
            boolean settled = failure != null && !late && failures.settle(record, failure, container, consumer);
            // Dead-lettering may be slow. What has failed besides is then tried again, and its failure is not counted.
            late = late || (failure != null && watch.isPollDue(consumer));
            if (!settled && !done.contains(position)) {
                progress.stopAt(record);
                if (failure == null && failures.known().remainingDelay(record) > 0) {
                    failures.keepWaiting(record, container);
                }
            }
        }
        return progress;
    }

    private boolean succeeds(ConsumerRecord<byte[], byte[]> record) {
        try {
            if (!failures.known().isSettled(record)) {
                processor.process(record, null);
                failures.known().remove(record);
            }
            done.add(position(record));
            return true;
        } catch (RuntimeException e) {
            failed.put(position(record), e);
            over = over || (failures.isTransient(e) && transientFailures.incrementAndGet() >= failuresThatEndIt);
        } catch (Error e) {
            error = e;
            over = true;
        }
        return false;
    }

    private static RecordPosition position(ConsumerRecord<?, ?> record) {
        return new RecordPosition(record.topic(), record.partition(), record.offset());
    }
}
