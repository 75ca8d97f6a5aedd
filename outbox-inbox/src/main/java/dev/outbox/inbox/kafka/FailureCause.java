package dev.outbox.inbox.kafka;

import dev.outbox.inbox.FailureText;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.ListenerExecutionFailedException;

/** What a record failed of, without what spring-kafka wraps around it, and in words that fit into a header. */
final class FailureCause {

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
        return FailureText.describe(cause);
    }

    /**
     * Returns the exception for a log, unless its messages are too long for one. If the database is the cause, a copy
     * without the values that it quotes is returned: the same types, places and causes under other words.
     */
    static @Nullable Throwable loggable(Throwable cause) {
        int length = 0;
        Throwable current = cause;
        for (int depth = 0; current != null && depth < MAX_DEPTH; depth++) {
            length += current.toString().length();
            current = current.getCause();
        }
        if (length > MAX_LOGGED_CHARACTERS) {
            return null;
        }
        return FailureText.isOfTheDatabase(cause) ? Logged.copyOf(cause, MAX_DEPTH) : cause;
    }

    /** Cuts and cleans a text so that it fits into a header, a log line and a database column. */
    static String trim(String text) {
        return FailureText.trim(text);
    }

    /** An exception as it may be logged; its message is what the original's toString says. */
    private static final class Logged extends Exception {

        private static final long serialVersionUID = 1L;

        private Logged(Throwable original, @Nullable Throwable cause) {
            super(FailureText.safe(original), cause, false, true);
            setStackTrace(original.getStackTrace());
        }

        private static Logged copyOf(Throwable original, int depth) {
            Throwable cause = original.getCause();
            return new Logged(original, cause == null || depth == 0 ? null : copyOf(cause, depth - 1));
        }
    }
}
