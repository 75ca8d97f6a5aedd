package dev.outbox.postgresql;

/** A write was refused because it would not have been atomic with the caller's; the message says what to do. */
public class TransactionRequiredException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public TransactionRequiredException(String message) {
        super(message);
    }
}
