package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.Admission;
import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.Verdict;
import java.util.UUID;

/** Lets an event wait behind the open dead letters of its aggregate. */
final class ParkedAggregates implements Admission {

    private final DeadLetterRows rows;
    private final AggregateQueue queue;

    ParkedAggregates(DeadLetterRows rows, AggregateQueue queue) {
        this.rows = rows;
        this.queue = queue;
    }

    /** Nearly every event finds no letter and takes no lock. One that finds some looks again when it holds the lock. */
    @Override
    public Verdict admit(ConsumerName consumer, ReceivedEvent event) {
        UUID key = AggregateQueue.key(event.metadata());
        if (key == null || !queue.mayBeOpen(consumer, key)) {
            return Verdict.APPLIED;
        }
        queue.lock(consumer, key);
        if (!queue.isOpen(consumer, key)) {
            return Verdict.APPLIED;
        }
        rows.add(consumer, event.record(), event.metadata(), DeadLetterRows.Failure.NONE);
        return Verdict.BEHIND;
    }

    @Override
    public boolean decidesOnRedrive() {
        return false;
    }
}
