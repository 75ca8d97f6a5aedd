package dev.outbox.inbox;

/**
 * An effect returned normally although it had marked its transaction for rollback, so it was not applied. To give an
 * event up, return without writing; to have it retried, throw.
 */
public class EffectRolledBackException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public EffectRolledBackException(String message) {
        super(message);
    }
}
