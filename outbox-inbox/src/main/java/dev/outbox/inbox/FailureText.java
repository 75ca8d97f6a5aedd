package dev.outbox.inbox;

import java.nio.charset.StandardCharsets;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Failures in words that may be kept: they fit into a header, a log line and a database column, and don't quote what the
 * database says about the values of a statement.
 *
 * <p>Of an exception of the database only the SQLSTATE and the first line of its message are told, also where another
 * exception repeats them: the lines behind ("Detail: Key (email)=(…)") carry values. Where that line carries them itself,
 * which is so for data exceptions (class 22) and JDBC batches, only the SQLSTATE is.
 */
public final class FailureText {

    /** Longest text, in bytes of UTF-8. */
    public static final int MAX_BYTES = 1024;

    private static final int MAX_DEPTH = 50;
    private static final String DATA_EXCEPTION = "22";

    private FailureText() {}

    /** Returns the types and messages of the exception and its root cause, on one line. */
    public static String describe(Throwable failure) {
        List<Throwable> chain = chain(failure);
        Throwable root = chain.get(chain.size() - 1);
        String text = safe(failure);
        return trim(root == failure ? text : safe(root) + " (in " + text + ")");
    }

    /** Returns what {@link Throwable#toString} does, without values that the database quotes. Of any length. */
    public static String safe(Throwable failure) {
        String text = failure.toString();
        for (Throwable cause : chain(failure)) {
            for (SQLException sql = asSql(cause); sql != null; sql = sql.getNextException()) {
                int at = sql.getMessage() == null ? -1 : text.indexOf(firstLine(sql));
                if (at >= 0 && !firstLine(sql).isBlank()) {
                    text = text.substring(0, at) + summary(sql);
                }
            }
        }
        return text;
    }

    /** Whether a failure comes from the database, so that what it quotes may be in the messages around it. */
    public static boolean isOfTheDatabase(Throwable failure) {
        return chain(failure).stream().anyMatch(SQLException.class::isInstance);
    }

    /** Cuts a text to {@link #MAX_BYTES} and replaces what can't be stored or shown. */
    public static String trim(String text) {
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

    private static String summary(SQLException sql) {
        String state = "SQLSTATE " + sql.getSQLState();
        boolean quotes = sql instanceof BatchUpdateException
                || (sql.getSQLState() != null && sql.getSQLState().startsWith(DATA_EXCEPTION));
        return quotes ? state : firstLine(sql) + " [" + state + "]";
    }

    private static String firstLine(SQLException sql) {
        String message = String.valueOf(sql.getMessage());
        int end = message.indexOf('\n');
        return (end < 0 ? message : message.substring(0, end)).strip();
    }

    private static @Nullable SQLException asSql(Throwable cause) {
        return cause instanceof SQLException sql ? sql : null;
    }

    private static List<Throwable> chain(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable cause = failure; cause != null && chain.size() < MAX_DEPTH; cause = cause.getCause()) {
            chain.add(cause);
        }
        return chain;
    }

    private static int printable(int character) {
        if (Character.isISOControl(character)) {
            return ' ';
        }
        return Character.getType(character) == Character.SURROGATE ? '?' : character;
    }
}
