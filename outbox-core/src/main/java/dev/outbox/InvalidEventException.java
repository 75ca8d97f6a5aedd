package dev.outbox;

/** An event was refused at append, before anything was written; the message names the field, its size and the limit. */
public class InvalidEventException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public InvalidEventException(String message) {
        super(message);
    }

    public InvalidEventException(String message, Throwable cause) {
        super(message, cause);
    }
}
