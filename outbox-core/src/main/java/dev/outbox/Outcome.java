package dev.outbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a delivery ended.
 *
 * @param delivery which
 * @param state the record's new state
 * @param delay until the next attempt, for {@link State#RETRY} and {@link State#DEFERRED}
 * @param failure why it was not published, when it was tried
 */
public record Outcome(
        Delivery delivery,
        State state,
        Duration delay,
        @Nullable PublishFailure failure) {

    /** The state that an outcome leads to. */
    public enum State {

        /** Acknowledged. */
        PUBLISHED,

        /** Failed by its own fault; one attempt more, tried again after the delay. */
        RETRY,

        /** Could not be tried in earnest; tried again after the delay, without counting an attempt. */
        DEFERRED,

        /** Failed for good; waits for a decision, and its aggregate waits with it. */
        PARKED,

        /** Failed for good; waits for a decision while its aggregate goes on: an acknowledged break of the order. */
        PASSED_OVER,

        /** Not tried: waits behind an earlier record of its aggregate. */
        BEHIND
    }

    public static Outcome published(Delivery delivery) {
        return new Outcome(delivery, State.PUBLISHED, Duration.ZERO, null);
    }

    /** A record that waits behind another one and was not tried. */
    public static Outcome behind(Delivery delivery) {
        return new Outcome(delivery, State.BEHIND, Duration.ZERO, null);
    }

    /** Whether the record waits for a decision. */
    public boolean isParked() {
        return state == State.PARKED || state == State.PASSED_OVER;
    }
}
