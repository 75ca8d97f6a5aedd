package dev.outbox.jdbc;

import dev.outbox.Outcome;
import dev.outbox.PublishFailure;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The cause of a failure as the {@code last_error} column takes it, whatever an exception says of itself. */
final class ErrorText {

    /** The most characters that are kept. */
    static final int MAX_LENGTH = 1_000;

    private ErrorText() {}

    static @Nullable String of(Outcome outcome) {
        PublishFailure failure = outcome.failure();
        return failure == null ? null : of(failure.cause());
    }

    /** Encoding replaces lone surrogates, and the database takes no U+0000. */
    static String of(Throwable cause) {
        String message = cause.getMessage();
        String text = cause.getClass().getName() + (message == null ? "" : ": " + message);
        String trimmed = text.substring(0, Math.min(text.length(), MAX_LENGTH));
        return new String(trimmed.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).replace('\0', ' ');
    }
}
