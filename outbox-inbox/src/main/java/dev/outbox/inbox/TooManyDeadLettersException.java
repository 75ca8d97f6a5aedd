package dev.outbox.inbox;

/** A decision would have met more dead letters than its filter allows; nothing was written. */
public class TooManyDeadLettersException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /**
     * @param action what was decided
     * @param atMost what the filter allows
     */
    public TooManyDeadLettersException(String action, int atMost) {
        super(action + ": more than " + atMost + " dead letters match. Narrow the filter, or raise its atMost");
    }
}
