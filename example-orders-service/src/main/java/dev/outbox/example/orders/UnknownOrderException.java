package dev.outbox.example.orders;

import java.util.UUID;

/** There is no order with the given id. */
class UnknownOrderException extends RuntimeException {

    UnknownOrderException(UUID id) {
        super("There is no order %s.".formatted(id));
    }
}
