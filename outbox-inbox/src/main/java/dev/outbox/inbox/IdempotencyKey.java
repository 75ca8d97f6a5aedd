package dev.outbox.inbox;

import com.fasterxml.uuid.Generators;
import java.util.UUID;

/**
 * A key under which a handler calls what its transaction does not cover, such as an HTTP API that applies a request once
 * per key. A listener method receives it by declaring a parameter of this type. It is the same on every repeat of the
 * event to the same consumer, on a redrive, and on every machine.
 *
 * @param value a UUID as text, 36 characters: the name-based one (version 5) of the consumer's name, with the event id as
 *     its namespace
 */
public record IdempotencyKey(String value) {

    /**
     * @throws IllegalArgumentException if the value is not a UUID as text
     */
    public IdempotencyKey {
        if (!UUID.fromString(value).toString().equals(value)) {
            throw new IllegalArgumentException("An idempotency key is a UUID as text in lower case, which this one of "
                    + value.length() + " characters is not");
        }
    }

    /** Returns the key of what a consumer does about an event. */
    public static IdempotencyKey of(ConsumerName consumer, UUID eventId) {
        return named(eventId, consumer.value());
    }

    /**
     * Returns the key of one of several calls that a handler makes about the same event.
     *
     * @param call a name of the call that stays the same, such as {@code refund}
     */
    public IdempotencyKey forCall(String call) {
        return named(UUID.fromString(value), call);
    }

    private static IdempotencyKey named(UUID namespace, String name) {
        return new IdempotencyKey(
                Generators.nameBasedGenerator(namespace).generate(name).toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
