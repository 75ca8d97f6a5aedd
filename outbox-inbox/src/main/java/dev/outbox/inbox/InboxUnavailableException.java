package dev.outbox.inbox;

/**
 * The inbox could not record an event, so its effect was not applied. The event is not the reason: the database, the
 * inbox's table or the rights on it are.
 */
public class InboxUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InboxUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
