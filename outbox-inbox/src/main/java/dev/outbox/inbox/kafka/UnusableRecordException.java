package dev.outbox.inbox.kafka;

/** A record cannot be processed, now or ever: it has no usable id or its payload cannot be read. */
final class UnusableRecordException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnusableRecordException(String message) {
        super(message);
    }
}
