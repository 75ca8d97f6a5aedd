package dev.outbox.inbox;

/**
 * An event cannot be processed, now or ever. A handler throws it to have the event dead-lettered at once; its message is
 * logged and kept with the dead letter, so it must not quote the payload.
 */
public class PermanentEventException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public PermanentEventException(String message) {
        super(message);
    }

    public PermanentEventException(String message, Throwable cause) {
        super(message, cause);
    }
}
