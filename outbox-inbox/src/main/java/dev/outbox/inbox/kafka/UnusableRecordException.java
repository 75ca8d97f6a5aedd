package dev.outbox.inbox.kafka;

import dev.outbox.inbox.PermanentEventException;

/** A record cannot be processed, now or ever: it has no usable id or its payload cannot be read. */
final class UnusableRecordException extends PermanentEventException {

    private static final long serialVersionUID = 1L;

    UnusableRecordException(String message) {
        super(message);
    }
}
