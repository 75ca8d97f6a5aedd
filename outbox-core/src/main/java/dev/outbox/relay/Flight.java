package dev.outbox.relay;

import dev.outbox.Delivery;
import dev.outbox.EventPublisher;
import dev.outbox.Ordering;
import dev.outbox.Outcome;
import dev.outbox.PublishFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one worker has under way: which records may be sent, are sent, or have ended and are not written down yet.
 *
 * <p>In strict order the next record of an aggregate is sent only when the one before it is acknowledged. With two of them
 * under way the second would overtake the first as soon as that one fails alone. After a failure nothing more of the
 * aggregate is sent: what was read of it waits behind the failed one, until all of that is written down and the database
 * tells how it goes on.
 */
final class Flight {

    private final EventPublisher publisher;
    private final FailurePolicy policy;
    private final Ordering ordering;
    private final Set<String> pausedTopics;
    private final Consumer<Runnable> events;

    private final Map<Long, Turn> turns = new HashMap<>();
    private final Deque<Sent> sent = new ArrayDeque<>();
    private List<Outcome> outcomes = new ArrayList<>();
    private int records;
    private long bytes;
    private int sending;
    private int written;
    private boolean closed;

    /**
     * @param pausedTopics topics of which nothing is sent
     * @param events takes what is to be run on the worker's thread
     */
    Flight(
            EventPublisher publisher,
            FailurePolicy policy,
            Ordering ordering,
            Set<String> pausedTopics,
            Consumer<Runnable> events) {
        this.publisher = publisher;
        this.policy = policy;
        this.ordering = ordering;
        this.pausedTopics = pausedTopics;
        this.events = events;
    }

    /** Takes records over, in order of append within each aggregate. */
    void accept(List<Delivery> deliveries) throws InterruptedException {
        publisher.prepare(
                deliveries.stream().map(delivery -> delivery.event().topic()).collect(Collectors.toSet()));
        List<Turn> touched = new ArrayList<>();
        for (Delivery delivery : deliveries) {
            records++;
            bytes += delivery.event().payload().size();
            Turn turn = turns.computeIfAbsent(key(delivery), key -> new Turn());
            turn.add(delivery);
            touched.add(turn);
        }
        touched.forEach(this::sendNext);
    }

    private void sendNext(Turn turn) {
        while (!closed
                && !turn.isOver()
                && !turn.unsent().isEmpty()
                && (turn.inFlight() == 0 || ordering != Ordering.STRICT)) {
            Delivery next = turn.unsent().removeFirst();
            if (pausedTopics.contains(next.event().topic())) {
                fail(turn, next, paused(next));
            } else {
                send(turn, next);
            }
        }
        if (turn.isOver()) {
            turn.unsent().forEach(delivery -> outcomes.add(Outcome.behind(delivery)));
            turn.unsent().clear();
        }
    }

    /** An operator's stop is to a record as if its topic took none. */
    static PublishFailure paused(Delivery delivery) {
        return new PublishFailure(
                PublishFailure.Kind.UNAVAILABLE,
                new IllegalStateException("topic " + delivery.event().topic() + " is paused"));
    }

    private void send(Turn turn, Delivery delivery) {
        turn.sent();
        sending++;
        Sent entry = new Sent(System.nanoTime());
        sent.addLast(entry);
        try {
            publisher.publish(delivery, failure -> events.accept(() -> completed(turn, delivery, entry, failure)));
        } catch (RuntimeException | Error e) {
            // Nobody will tell its end, so that nobody must wait for it.
            entry.completed = true;
            sending--;
            throw e;
        }
    }

    private void completed(Turn turn, Delivery delivery, Sent entry, @Nullable PublishFailure failure) {
        if (entry.completed) {
            return;
        }
        entry.completed = true;
        sending--;
        turn.completed();
        if (failure == null) {
            outcomes.add(Outcome.published(delivery));
        } else {
            fail(turn, delivery, failure);
        }
        sendNext(turn);
    }

    private void fail(Turn turn, Delivery delivery, PublishFailure failure) {
        Outcome outcome = policy.outcome(delivery, failure);
        outcomes.add(outcome);
        if (outcome.state() != Outcome.State.PASSED_OVER && ordering != Ordering.NONE) {
            turn.end();
        }
    }

    /** Takes the outcomes that are to be written down. */
    List<Outcome> takeOutcomes() {
        List<Outcome> taken = outcomes;
        outcomes = new ArrayList<>();
        return taken;
    }

    int outcomes() {
        return outcomes.size();
    }

    /** Outcomes are written down. */
    void recorded(List<Outcome> ended) {
        written += ended.size();
        for (Outcome outcome : ended) {
            Delivery delivery = outcome.delivery();
            records--;
            bytes -= delivery.event().payload().size();
            Turn turn = turns.get(key(delivery));
            if (turn != null && turn.recorded()) {
                turns.remove(key(delivery));
            }
        }
    }

    /** Sends nothing more, and forgets what was not sent: somebody will read it again. */
    void close() {
        closed = true;
        for (Turn turn : turns.values()) {
            for (Delivery delivery : turn.unsent()) {
                records--;
                bytes -= delivery.event().payload().size();
            }
            turn.unsent().clear();
        }
    }

    /** Records that are not written down yet. */
    int records() {
        return records;
    }

    /** Records that have been written down so far. */
    int written() {
        return written;
    }

    /** Payload bytes of the records that are not. */
    long bytes() {
        return bytes;
    }

    /** Records whose end the broker has not told yet. */
    int sending() {
        return sending;
    }

    /** How long the oldest of those has been under way, in nanoseconds. */
    long oldestSending() {
        while (!sent.isEmpty() && sent.getFirst().completed) {
            sent.removeFirst();
        }
        return sent.isEmpty() ? 0 : System.nanoTime() - sent.getFirst().at;
    }

    private long key(Delivery delivery) {
        return ordering == Ordering.NONE ? delivery.seq() : delivery.aggregateHash();
    }

    private static final class Sent {

        private final long at;
        private boolean completed;

        private Sent(long at) {
            this.at = at;
        }
    }
}
