package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.LocalConsumer;
import dev.outbox.inbox.LocalConsumers;
import dev.outbox.inbox.Verdict;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Applies early events whose turn has come, in order, each in a transaction of its own.
 *
 * <p>The row of the aggregate is locked meanwhile, so that no two threads or instances are at one aggregate. Who finds it
 * locked passes by. Nothing is thrown: what fails is tried again by a later turn.
 */
final class Successors {

    private static final Logger LOG = LoggerFactory.getLogger(Successors.class);

    /** How long the thread that consumes may be kept from its next poll, and by how many events. */
    private static final Duration TURN = Duration.ofSeconds(5);

    private static final int TURN_EVENTS = 100;

    private final AggregateVersions versions;
    private final EarlyEvents early;
    private final EarlyTurns turns;
    private final TransactionTemplate transaction;
    private final LocalConsumers consumers;
    private final EarlyOutcomes outcomes;

    Successors(
            AggregateVersions versions,
            EarlyEvents early,
            EarlyTurns turns,
            TransactionTemplate transaction,
            LocalConsumers consumers,
            EarlyOutcomes outcomes) {
        this.versions = versions;
        this.early = early;
        this.turns = turns;
        this.transaction = transaction;
        this.consumers = consumers;
        this.outcomes = outcomes;
    }

    /** Applies those of an aggregate that are due, on the thread that has just applied what they waited for. */
    void followNow(Aggregate aggregate) {
        try {
            if (turns.isDue(aggregate)) {
                follow(aggregate);
            }
        } catch (RuntimeException e) {
            LOG.debug(
                    "Early events of {} could not be looked for; the next look at all of them finds them",
                    aggregate,
                    e);
        }
    }

    /** Applies those of an aggregate that are due, and returns how many they were; at most some at a time. */
    int follow(Aggregate aggregate) {
        long end = System.nanoTime() + TURN.toNanos();
        int count = 0;
        while (count < TURN_EVENTS
                && System.nanoTime() < end
                && !Thread.currentThread().isInterrupted()
                && apply(
                        aggregate,
                        () -> versions.tryLock(aggregate).flatMap(version -> early.take(aggregate, version + 1)))) {
            count++;
        }
        return count;
    }

    /** Applies the first event of an aggregate although versions before it are missing, if it has waited for so long. */
    boolean skipGap(Aggregate aggregate, Duration timeout) {
        return apply(aggregate, () -> {
            Optional<EarlyEvent> first =
                    versions.tryLock(aggregate).flatMap(version -> early.takeOverdue(aggregate, timeout));
            first.ifPresent(event -> {
                versions.set(aggregate, event.version() - 1);
                early.removeSettledBelow(aggregate, event.version());
            });
            return first;
        });
    }

    private boolean apply(Aggregate aggregate, Supplier<Optional<EarlyEvent>> taking) {
        if (!consumers.contains(aggregate.consumer())) {
            return false;
        }
        LocalConsumer consumer = consumers.get(aggregate.consumer());
        AtomicReference<@Nullable EarlyEvent> taken = new AtomicReference<>();
        try {
            transaction.executeWithoutResult(status -> taking.get().ifPresent(event -> {
                taken.set(event);
                apply(event, consumer);
            }));
        } catch (RuntimeException | Error e) {
            outcomes.failed(aggregate, taken.get(), e, consumer);
            return false;
        }
        EarlyEvent applied = taken.get();
        if (applied != null) {
            outcomes.applied(applied);
        }
        return applied != null;
    }

    /** The consumer's admission takes the version over. Its hook after the commit is left out: it is who calls this. */
    private void apply(EarlyEvent event, LocalConsumer consumer) {
        if (event.record() == null) {
            versions.set(event.aggregate(), event.version());
            return;
        }
        Verdict verdict;
        try {
            verdict = consumer.apply(consumer.read(event.record()));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new UndeclaredThrowableException(e);
        }
        if (verdict != Verdict.APPLIED) {
            throw new IllegalStateException(
                    "The turn of " + event + " has come, but the verdict on it is " + verdict + ", so it stays early");
        }
    }
}
