package dev.outbox.inbox.kafka;

import dev.outbox.inbox.RetrySettings;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/** Remembers, per partition, the record that fails there at the moment and how often it has. Thread-safe. */
final class FailedRecords {

    private static final double GROWTH = 2;

    private final RetrySettings settings;
    private final FailureClassifier classifier;
    private final Map<TopicPartition, FailedRecord> failed = new ConcurrentHashMap<>();

    FailedRecords(RetrySettings settings, FailureClassifier classifier) {
        this.settings = settings;
        this.classifier = classifier;
    }

    /** Counts a failure and says what is to be done about it. */
    Decision add(ConsumerRecord<?, ?> record, Throwable cause) {
        FailedRecord current = of(record);
        FailureKind kind = Objects.requireNonNullElse(classifier.classify(cause), FailureKind.UNKNOWN);
        if (kind == FailureKind.TRANSIENT) {
            return new Decision(kind, current.attempts, current.firstFailedAt, current.outageDelay());
        }
        current.attempts++;
        boolean last = kind == FailureKind.PERMANENT || current.attempts >= settings.attempts();
        return new Decision(kind, current.attempts, current.firstFailedAt, last ? null : current.retries.nextBackOff());
    }

    /** Returns how long to wait before the record is taken up again after its dead-lettering failed, in ms. */
    long delayAfterFailedDeadLetter(ConsumerRecord<?, ?> record) {
        return of(record).outageDelay();
    }

    void remove(ConsumerRecord<?, ?> record) {
        failed.remove(partition(record));
    }

    private FailedRecord of(ConsumerRecord<?, ?> record) {
        return failed.compute(
                partition(record),
                (partition, known) -> known == null || known.offset != record.offset()
                        ? new FailedRecord(record.offset(), backOff(settings))
                        : known);
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

        private final long offset;
        private final Instant firstFailedAt = Instant.now();
        private final BackOffExecution retries;
        private final BackOffExecution outage;
        private int attempts;

        private FailedRecord(long offset, ExponentialBackOff backOff) {
            this.offset = offset;
            this.retries = backOff.start();
            this.outage = backOff.start();
        }

        private long outageDelay() {
            return outage.nextBackOff();
        }
    }
}
