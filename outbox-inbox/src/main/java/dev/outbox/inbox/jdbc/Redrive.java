package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.Decision;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.LocalConsumer;
import dev.outbox.inbox.LocalConsumers;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.Verdict;
import dev.outbox.inbox.jdbc.DeadLetterRows.Place;
import dev.outbox.inbox.jdbc.DeadLetterRows.StoredLetter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Processes dead events once more, each in a transaction of its own, and then what waits behind them. */
final class Redrive {

    private static final Logger LOG = LoggerFactory.getLogger(Redrive.class);

    private final OperatorTransactions transactions;
    private final LetterDecisions letters;
    private final LocalConsumers consumers;
    private final Inbox inbox;
    private final InboxListener listener;

    Redrive(
            OperatorTransactions transactions,
            LetterDecisions letters,
            LocalConsumers consumers,
            Inbox inbox,
            InboxListener listener) {
        this.transactions = transactions;
        this.letters = letters;
        this.consumers = consumers;
        this.inbox = inbox;
        this.listener = listener;
    }

    /** Redrives a letter, and in order what waits behind it, up to the first that fails. */
    void run(long id, Decision decision, Tally tally) {
        Optional<Long> next = Optional.of(id);
        while (next.isPresent()) {
            next = one(next.get(), decision, tally);
        }
    }

    private Optional<Long> one(long id, Decision decision, Tally tally) {
        Redriven redriven;
        try {
            redriven = transactions.inNew(() -> apply(id, decision));
        } catch (RuntimeException e) {
            Exception cause = e instanceof HandlerFailure failure ? failure.cause : e;
            if (Boolean.TRUE.equals(transactions.inNew(() -> letters.failedAgain(id, cause, decision)))) {
                tally.failed();
            } else {
                tally.passedOver();
            }
            return Optional.empty();
        }
        if (redriven == null) {
            tally.passedOver();
            return Optional.empty();
        }
        tally.changed(id);
        redriven.tell(listener);
        return redriven.next;
    }

    private @Nullable Redriven apply(long id, Decision decision) {
        Place place = letters.find(id).orElse(null);
        if (place == null) {
            return null;
        }
        LocalConsumer consumer = consumers.get(place.consumer());
        StoredLetter letter =
                letters.lockForRedrive(id, place, consumer.parksAggregates()).orElse(null);
        if (letter == null) {
            return null;
        }
        ReceivedEvent event = consumer.read(letter.record());
        UUID eventId = event.metadata().eventId();
        boolean owned = eventId.equals(letter.eventId());
        Verdict verdict = owned ? apply(consumer, event) : applyAsNew(consumer, event);
        if (verdict == Verdict.BEHIND || verdict == Verdict.DEAD_LETTERED) {
            throw new IllegalStateException("The verdict of consumer '" + consumer.name() + "' on " + event + " is "
                    + verdict + " again, so it stays dead");
        }
        letters.renew(place, letter);
        return new Redriven(
                consumer, event, verdict, owned, letters.decide(id, place, LetterDecisions.Action.REDRIVE, decision));
    }

    private static Verdict apply(LocalConsumer consumer, ReceivedEvent event) {
        try {
            return consumer.apply(event);
        } catch (Exception e) {
            throw new HandlerFailure(e);
        }
    }

    /** The letter doesn't own the id that is read from its record now: another delivery may have been processed. */
    private Verdict applyAsNew(LocalConsumer consumer, ReceivedEvent event) {
        UUID eventId = event.metadata().eventId();
        return Objects.requireNonNull(inbox.process(
                        consumer.name(), List.of(eventId), fresh -> Map.of(eventId, apply(consumer, event)))
                .get(eventId));
    }

    private record Redriven(
            LocalConsumer consumer, ReceivedEvent event, Verdict verdict, boolean owned, Optional<Long> next) {

        private void tell(InboxListener listener) {
            String name = consumer.name().value();
            UUID eventId = event.metadata().eventId();
            if (owned && verdict == Verdict.APPLIED) {
                listener.processed(name, eventId);
            } else if (owned) {
                listener.notApplied(name, eventId, verdict);
            }
            try {
                consumer.committed(event, verdict);
            } catch (RuntimeException e) {
                LOG.warn("Consumer '{}' has processed the redriven {}, and then failed", name, event, e);
            }
        }
    }

    /** What a handler threw, on its way out of the transaction. */
    private static final class HandlerFailure extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Exception cause;

        private HandlerFailure(Exception cause) {
            super(cause);
            this.cause = cause;
        }
    }
}
