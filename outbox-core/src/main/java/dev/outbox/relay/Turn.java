package dev.outbox.relay;

import dev.outbox.Delivery;
import java.util.ArrayDeque;
import java.util.Deque;

/** What a tenure holds of one aggregate. It lives until everything of it is written down. */
final class Turn {

    private final Deque<Delivery> unsent = new ArrayDeque<>();
    private int inFlight;
    private int unrecorded;
    private boolean over;

    Deque<Delivery> unsent() {
        return unsent;
    }

    void add(Delivery delivery) {
        unsent.add(delivery);
        unrecorded++;
    }

    int inFlight() {
        return inFlight;
    }

    void sent() {
        inFlight++;
    }

    void completed() {
        inFlight--;
    }

    /** A record has failed, so nothing more of the aggregate is sent. */
    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    /** One record is written down; tells whether it was the last one. */
    boolean recorded() {
        return --unrecorded == 0;
    }
}
