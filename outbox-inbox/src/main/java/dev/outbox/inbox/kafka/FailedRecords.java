package dev.outbox.inbox.kafka;

import dev.outbox.inbox.RetrySettings;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Remembers by position which records fail at the moment, and how often they have. Thread-safe.
 *
 * <p>There is one for each partition where records are processed one after the other, and may be one for each aggregate
 * where they are processed at once. A position is forgotten when its record has succeeded, and when its partition has gone
 * past it or is taken away. A partition remembers {@value #MAX_PER_PARTITION} at most, the first ones: the counting of
 * others begins when those are settled.
 */
final class FailedRecords {

    static final int MAX_PER_PARTITION = 1_000;

    private static final double GROWTH = 2;

    private final RetrySettings settings;
    private final FailureClassifier classifier;
    private final LongSupplier clock;
    private final Map<TopicPartition, NavigableMap<Long, FailedRecord>> failed = new HashMap<>();

    FailedRecords(RetrySettings settings, FailureClassifier classifier) {
        this(settings, classifier, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    /**
     * @param clock ms from an arbitrary origin, never going back
     */
    FailedRecords(RetrySettings settings, FailureClassifier classifier, LongSupplier clock) {
        this.settings = settings;
        this.classifier = classifier;
        this.clock = clock;
    }

    /** Counts a failure and says what is to be done about it. */
    synchronized Decision add(ConsumerRecord<?, ?> record, Throwable cause) {
        FailedRecord current = of(record);
        FailureKind kind = Objects.requireNonNullElse(classifier.classify(cause), FailureKind.UNKNOWN);
        if (kind == FailureKind.TRANSIENT) {
            return new Decision(kind, current.attempts, current.firstFailedAt, delay(current, current.outage));
        }
        current.attempts++;
        boolean last = kind == FailureKind.PERMANENT || current.attempts >= settings.attempts();
        return new Decision(
                kind, current.attempts, current.firstFailedAt, last ? null : delay(current, current.retries));
    }

    /** Whether the failure says nothing about the record, but about the database. */
    boolean isTransient(Throwable cause) {
        return classifier.classify(cause) == FailureKind.TRANSIENT;
    }

    /** Returns how long to wait before the record is taken up again after its dead-lettering failed, in ms. */
    synchronized long delayAfterFailedDeadLetter(ConsumerRecord<?, ?> record) {
        FailedRecord current = of(record);
        return delay(current, current.outage);
    }

    /** Whether the record failed and is not settled. */
    synchronized boolean contains(ConsumerRecord<?, ?> record) {
        FailedRecord current = find(record);
        return current != null && !current.settled;
    }

    /** Whether the record failed and has been settled, and its partition has not gone past it. */
    synchronized boolean isSettled(ConsumerRecord<?, ?> record) {
        FailedRecord current = find(record);
        return current != null && current.settled;
    }

    /** Returns the time until the record's next attempt in ms, 0 if it may be tried now. */
    synchronized long remainingDelay(ConsumerRecord<?, ?> record) {
        FailedRecord current = find(record);
        return current == null ? 0 : Math.max(0, current.retryAt - clock.getAsLong());
    }

    /** Takes note that nothing more is done about the record, also if it arrives again with others of its poll. */
    synchronized void settle(ConsumerRecord<?, ?> record) {
        of(record).settled = true;
    }

    synchronized void remove(ConsumerRecord<?, ?> record) {
        NavigableMap<Long, FailedRecord> records = failed.get(partition(record));
        if (records != null) {
            records.remove(record.offset());
        }
    }

    /** Forgets what stands before an offset. */
    synchronized void passed(TopicPartition partition, long offset) {
        NavigableMap<Long, FailedRecord> records = failed.get(partition);
        if (records != null) {
            records.headMap(offset, false).clear();
        }
    }

    /** Forgets partitions that others may consume from now on. */
    synchronized void forget(Collection<TopicPartition> partitions) {
        partitions.forEach(failed::remove);
    }

    private @Nullable FailedRecord find(ConsumerRecord<?, ?> record) {
        NavigableMap<Long, FailedRecord> records = failed.get(partition(record));
        return records == null ? null : records.get(record.offset());
    }

    private FailedRecord of(ConsumerRecord<?, ?> record) {
        NavigableMap<Long, FailedRecord> records =
                failed.computeIfAbsent(partition(record), partition -> new TreeMap<>());
        FailedRecord current = records.computeIfAbsent(record.offset(), offset -> new FailedRecord(backOff(settings)));
        if (records.size() > MAX_PER_PARTITION) {
            records.pollLastEntry();
        }
        return current;
    }

    private long delay(FailedRecord current, BackOffExecution backOff) {
        long delay = backOff.nextBackOff();
        current.retryAt = clock.getAsLong() + delay;
        return delay;
    }

    private static TopicPartition partition(ConsumerRecord<?, ?> record) {
        return new TopicPartition(record.topic(), record.partition());
    }

    private static ExponentialBackOff backOff(RetrySettings settings) {
        ExponentialBackOff backOff =
                new ExponentialBackOff(settings.firstDelay().toMillis(), GROWTH);
        backOff.setMaxInterval(settings.maxDelay().toMillis());
        backOff.setJitter(settings.firstDelay().toMillis() / 2);
        return backOff;
    }

    /**
     * What is to be done about a failure.
     *
     * @param attempts how often the record itself failed
     * @param firstFailedAt when it first failed, by this machine's clock
     * @param delay ms until the next attempt; null if the record is to be dead-lettered
     */
    record Decision(
            FailureKind kind,
            int attempts,
            Instant firstFailedAt,
            @Nullable Long delay) {}

    private static final class FailedRecord {

        private final Instant firstFailedAt = Instant.now();
        private final BackOffExecution retries;
        private final BackOffExecution outage;
        private int attempts;
        private long retryAt;
        private boolean settled;

        private FailedRecord(ExponentialBackOff backOff) {
            this.retries = backOff.start();
            this.outage = backOff.start();
        }
    }
}
