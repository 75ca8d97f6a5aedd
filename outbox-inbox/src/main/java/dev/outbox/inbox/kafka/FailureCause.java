package dev.outbox.inbox.kafka;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.ListenerExecutionFailedException;

/** What a record failed of, without what spring-kafka wraps around it, and in words that fit into a header. */
final class FailureCause {

    /** Longest text, in bytes of UTF-8. */
    static final int MAX_BYTES = 1024;

    private static final int MAX_LOGGED_CHARACTERS = 16 * 1024;
    private static final int MAX_DEPTH = 50;

    private FailureCause() {}

    static Exception of(Exception thrown) {
        Exception cause = thrown;
        while (cause instanceof ListenerExecutionFailedException && cause.getCause() instanceof Exception inner) {
            cause = inner;
        }
        return cause;
    }

    /** Returns the types and messages of the exception and its root cause, on one line. */
    static String describe(Throwable cause) {
        Throwable root = cause;
        for (int depth = 0; root.getCause() != null && depth < MAX_DEPTH; depth++) {
            root = root.getCause();
        }
        String text = cause.toString();
        return trim(root == cause ? text : root + " (in " + text + ")");
    }

    /** Returns the exception for a log, unless its messages are too long for one. */
    static @Nullable Throwable loggable(Throwable cause) {
        int length = 0;
        Throwable current = cause;
        for (int depth = 0; current != null && depth < MAX_DEPTH; depth++) {
            length += current.toString().length();
            current = current.getCause();
        }
        return length > MAX_LOGGED_CHARACTERS ? null : cause;
    }

    /** Cuts and cleans a text so that it fits into a header, a log line and a database column. */
    static String trim(String text) {
        StringBuilder trimmed = new StringBuilder();
        int bytes = 0;
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            int character = printable(text.codePointAt(at));
            bytes += Character.toString(character).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MAX_BYTES) {
                break;
            }
            trimmed.appendCodePoint(character);
        }
        return trimmed.toString();
    }

    private static int printable(int character) {
        if (Character.isISOControl(character)) {
            return ' ';
        }
        return Character.getType(character) == Character.SURROGATE ? '?' : character;
    }
}
