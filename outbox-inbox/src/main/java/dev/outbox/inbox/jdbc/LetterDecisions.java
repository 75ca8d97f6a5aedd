package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.Decision;
import dev.outbox.inbox.jdbc.DeadLetterRows.Place;
import dev.outbox.inbox.jdbc.DeadLetterRows.StoredLetter;
import java.util.Optional;
import java.util.UUID;

/** What is decided on one letter, in the transaction of the calling thread. */
final class LetterDecisions {

    private final DeadLetterRows rows;
    private final AggregateQueue queue;
    private final ProcessedEvents processed;
    private final InboxAudit audit;

    LetterDecisions(DeadLetterRows rows, AggregateQueue queue, ProcessedEvents processed, InboxAudit audit) {
        this.rows = rows;
        this.queue = queue;
        this.processed = processed;
        this.audit = audit;
    }

    /** Returns where an open letter belongs, without a lock. */
    Optional<Place> find(long id) {
        return rows.find(id);
    }

    /** Locks a dead letter that may be redriven now. The aggregate is locked first, as arriving events do. */
    Optional<StoredLetter> lockForRedrive(long id, Place place, boolean parksAggregates) {
        lockAggregate(place);
        UUID key = place.aggregateKey();
        return rows.lock(id, false)
                .filter(letter -> key == null || !queue.hasAhead(place.consumer(), key, id, parksAggregates));
    }

    /** Locks a letter that may be discarded, which is any open one. */
    Optional<StoredLetter> lockForDiscard(long id, Place place) {
        lockAggregate(place);
        return rows.lock(id, true);
    }

    private void lockAggregate(Place place) {
        if (place.aggregateKey() != null) {
            queue.lock(place.consumer(), place.aggregateKey());
        }
    }

    /** The event's window starts anew: it may be delivered again as late as one that is processed now. */
    void renew(Place place, StoredLetter letter) {
        if (letter.eventId() != null) {
            processed.renew(place.consumer(), letter.eventId());
        }
    }

    /** Ends a letter that is locked, and returns the one behind it that has become dead by that, if there is one. */
    Optional<Long> decide(long id, Place place, Action action, Decision decision) {
        rows.decide(id, action.state);
        audit.write(action.text, id, decision);
        UUID key = place.aggregateKey();
        return key == null
                ? Optional.empty()
                : queue.promote(
                        place.consumer(),
                        key,
                        "Waited behind dead letter " + id + ", which was " + action.state + "; not tried yet");
    }

    /** Counts a redrive that failed, and returns whether the letter is still open. */
    boolean failedAgain(long id, Throwable cause, Decision decision) {
        boolean open = rows.failedAgain(id, cause);
        if (open) {
            audit.write("redrive failed", id, decision);
        }
        return open;
    }

    /** How a letter ends. */
    enum Action {

        /** Its event was processed. */
        REDRIVE("redrive", "redriven"),

        /** Its event never will be. */
        DISCARD("discard", "discarded");

        private final String text;
        private final String state;

        Action(String text, String state) {
            this.text = text;
            this.state = state;
        }
    }
}
