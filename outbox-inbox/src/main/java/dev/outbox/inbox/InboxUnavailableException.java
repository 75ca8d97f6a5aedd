package dev.outbox.inbox;

/**
 * The inbox could not read or record an event, so its effect was not applied. The event is not the reason: the database,
 * the inbox's table, the rights on it, or what is missing on the class path are.
 */
public class InboxUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InboxUnavailableException(String message) {
        super(message);
    }

    public InboxUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
