package dev.outbox.postgresql;

import org.jspecify.annotations.Nullable;

/** The tables of a module are not as it needs them; the message says what to do. */
public class SchemaException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public SchemaException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
