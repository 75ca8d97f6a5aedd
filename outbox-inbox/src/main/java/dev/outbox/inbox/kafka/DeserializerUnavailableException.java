package dev.outbox.inbox.kafka;

import dev.outbox.inbox.InboxUnavailableException;

/** A deserializer lacks something that is not in the record, such as its schema registry. */
final class DeserializerUnavailableException extends InboxUnavailableException {

    private static final long serialVersionUID = 1L;

    DeserializerUnavailableException(String message) {
        super(message);
    }
}
