package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.FailedEvent;
import dev.outbox.inbox.FailureText;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.LocalConsumer;
import dev.outbox.inbox.RetrySettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** What is done after early events were applied, failed, or waited for too long. */
final class EarlyOutcomes {

    private static final Logger LOG = LoggerFactory.getLogger(EarlyOutcomes.class);
    private static final int MAX_DOUBLINGS = 30;

    private final AggregateVersions versions;
    private final EarlyEvents early;
    private final TransactionTemplate transaction;
    private final BiConsumer<ConsumerName, FailedEvent> deadLetters;
    private final RetrySettings retry;
    private final InboxListener listener;

    EarlyOutcomes(
            AggregateVersions versions,
            EarlyEvents early,
            TransactionTemplate transaction,
            BiConsumer<ConsumerName, FailedEvent> deadLetters,
            RetrySettings retry,
            InboxListener listener) {
        this.versions = versions;
        this.early = early;
        this.transaction = transaction;
        this.deadLetters = deadLetters;
        this.retry = retry;
        this.listener = listener;
    }

    void applied(EarlyEvent event) {
        if (event.record() != null) {
            listener.processed(consumer(event.aggregate()), event.eventId());
        }
    }

    /** Counts a failure, and has the event tried again later or dead-lettered. Throws nothing. */
    void failed(Aggregate aggregate, @Nullable EarlyEvent event, Throwable cause, LocalConsumer local) {
        if (event == null || event.record() == null || Thread.currentThread().isInterrupted()) {
            LOG.debug("Early events of {} could not be applied now", aggregate, cause);
            return;
        }
        ConsumerRecord<byte[], byte[]> record = event.record();
        listener.failed(consumer(aggregate), event.eventId(), EarlyEvent.position(record), cause);
        boolean counted = !local.isTransient(cause);
        int attempts = event.attempts() + (counted ? 1 : 0);
        try {
            if (counted && (local.isPermanent(cause) || attempts >= retry.attempts())) {
                deadLetter(event, cause, attempts, local);
            } else {
                retryLater(event, cause, counted);
            }
        } catch (RuntimeException | Error e) {
            cause.addSuppressed(e);
            LOG.error(
                    "Consumer '{}' failed on {}, which was kept, and that could not be recorded. It is tried again",
                    consumer(aggregate),
                    event,
                    cause);
        }
    }

    /** Tells that an event has left for the dead letters. */
    void deadLettered(EarlyEvent event, Throwable cause, int attempts) {
        ConsumerRecord<byte[], byte[]> record = Objects.requireNonNull(event.record());
        LOG.error(
                "Consumer '{}' dead-lettered {} after {} attempt(s): {}",
                consumer(event.aggregate()),
                event,
                attempts,
                FailureText.describe(cause));
        listener.deadLettered(consumer(event.aggregate()), event.eventId(), EarlyEvent.position(record), cause);
    }

    /** Moves an event that was removed to the dead letters, in the transaction of the calling thread. */
    void addDeadLetter(EarlyEvent event, Throwable cause, int attempts, LocalConsumer local) {
        ConsumerRecord<byte[], byte[]> record = Objects.requireNonNull(event.record());
        Duration waited = Duration.between(event.receivedAt().toInstant(), Instant.now());
        deadLetters.accept(
                event.aggregate().consumer(),
                new FailedEvent(
                        record,
                        local.read(record).metadata(),
                        attempts,
                        waited.isNegative() ? Duration.ZERO : waited,
                        cause));
    }

    private void deadLetter(EarlyEvent event, Throwable cause, int attempts, LocalConsumer local) {
        boolean moved = Boolean.TRUE.equals(transaction.execute(status -> {
            boolean removed =
                    versions.tryLock(event.aggregate()).isPresent() && early.remove(event.aggregate(), event.version());
            if (removed) {
                addDeadLetter(event, cause, attempts, local);
            }
            return removed;
        }));
        if (moved) {
            deadLettered(event, cause, attempts);
        }
    }

    private void retryLater(EarlyEvent event, Throwable cause, boolean counted) {
        Duration delay = delay(counted ? event.attempts() : 0);
        transaction.executeWithoutResult(
                status -> early.retryLater(event, counted, delay, FailureText.describe(cause)));
        LOG.warn(
                "Consumer '{}' failed on {}, which was kept: {}. Next try in {} at the earliest",
                consumer(event.aggregate()),
                event,
                FailureText.describe(cause),
                delay);
    }

    private Duration delay(int failuresBefore) {
        long first = retry.firstDelay().toMillis();
        long doubled = first << Math.min(failuresBefore, MAX_DOUBLINGS);
        long jitter = ThreadLocalRandom.current().nextLong(first / 2 + 1);
        return Duration.ofMillis(Math.min(doubled + jitter, retry.maxDelay().toMillis()));
    }

    private static String consumer(Aggregate aggregate) {
        return aggregate.consumer().value();
    }
}
