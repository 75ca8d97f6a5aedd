package dev.outbox.inbox;

/**
 * A consumer must not go on. Its container stops on all its threads before the record that was to be processed; nothing
 * of that record is committed. The message says why and what to do, and does not quote the payload.
 */
public class StopConsumerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StopConsumerException(String message) {
        super(message);
    }
}
