package dev.outbox.kafka;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A breaker, in the words of a gate: it lets all records through, or none, or a single one that finds out whether an
 * outage is over.
 *
 * <p>Whoever enters gets the number of the turn and brings it back with the outcome. Outcomes of former turns are ignored:
 * hundreds of records fail in one outage, and those that were sent before it say nothing about now.
 */
final class Gate {

    /** The answer to who may not enter. */
    static final long REFUSED = -1;

    private final long trialNanos;
    private final LongSupplier clock;
    private State state;
    private long turn;
    private boolean trialUnderWay;
    private long trialBegan;
    private int failures;

    /**
     * @param trialLimit how long the outcome of a single record may take; after that it counts as lost and another one is
     *     let in
     * @param clock in nanoseconds, as {@link System#nanoTime()}
     */
    Gate(State state, Duration trialLimit, LongSupplier clock) {
        this.state = state;
        this.trialNanos = trialLimit.toNanos();
        this.clock = clock;
    }

    /** Returns the turn, or {@link #REFUSED}. */
    synchronized long enter() {
        if (!admits()) {
            return REFUSED;
        }
        if (state == State.HALF_OPEN) {
            change(State.HALF_OPEN);
            trialUnderWay = true;
            trialBegan = clock.getAsLong();
        }
        return turn;
    }

    /** Whether a record would be let in now. */
    synchronized boolean admits() {
        return switch (state) {
            case OPEN -> true;
            case CLOSED -> false;
            case HALF_OPEN -> !trialUnderWay || clock.getAsLong() - trialBegan > trialNanos;
        };
    }

    /** A record was acknowledged; tells whether that opened the gate. */
    synchronized boolean acknowledged(long entered) {
        if (entered != turn) {
            return false;
        }
        failures = 0;
        return open();
    }

    /** A record failed for a reason that is not its own; tells whether that closed the gate. */
    synchronized boolean failed(long entered) {
        return entered == turn && close();
    }

    /** A record ended in a way that says nothing; the next one may try. */
    synchronized void undecided(long entered) {
        if (entered == turn) {
            trialUnderWay = false;
        }
    }

    synchronized boolean open() {
        boolean changes = state != State.OPEN;
        if (changes) {
            change(State.OPEN);
        }
        return changes;
    }

    /** Lets a single record in, if the gate is closed. */
    synchronized boolean halfOpen() {
        boolean changes = state == State.CLOSED;
        if (changes) {
            change(State.HALF_OPEN);
        }
        return changes;
    }

    synchronized boolean close() {
        boolean changes = state != State.CLOSED;
        if (changes) {
            change(State.CLOSED);
            failures++;
        }
        return changes;
    }

    /** What would have opened the gate failed. */
    synchronized void stayClosed() {
        failures++;
    }

    synchronized State state() {
        return state;
    }

    /** Closings and vain attempts to open since the last acknowledgement. */
    synchronized int failures() {
        return failures;
    }

    private void change(State to) {
        state = to;
        turn++;
        trialUnderWay = false;
    }

    enum State {

        /** Everybody may enter. */
        OPEN,

        /** One record may enter; its outcome decides. */
        HALF_OPEN,

        /** Nobody may enter. */
        CLOSED
    }
}
