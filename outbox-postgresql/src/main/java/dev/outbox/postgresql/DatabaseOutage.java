package dev.outbox.postgresql;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** Tells a database that is out of reach, which comes back, from one that refuses, which a person must change. */
public final class DatabaseOutage {

    private static final int MAX_DEPTH = 50;

    private static final String CONNECTION_CLASS = "08";
    private static final String SHUTDOWN_OR_STARTING = "57P0";
    private static final String TOO_MANY_CONNECTIONS = "53300";

    /** The server was reached and wants something else: a password, or TLS. */
    private static final String REJECTED = "08004";

    private DatabaseOutage() {}

    /** Whether a failure says that no connection could be had, or that it broke. The first SQLSTATE decides. */
    public static boolean isCauseOf(Throwable failure) {
        boolean noConnection = false;
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
            if (cause instanceof SQLException sql) {
                String state = sql.getSQLState();
                if (state != null) {
                    return isOutage(state);
                }
                noConnection |= sql instanceof SQLTransientConnectionException;
            }
            cause = cause.getCause();
        }
        return noConnection;
    }

    /** Whether a failure says that a table, column or schema is not there. */
    static boolean isMissingTable(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
            if (cause instanceof SQLException sql && isMissing(sql.getSQLState())) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    private static boolean isOutage(String state) {
        return (state.startsWith(CONNECTION_CLASS) && !state.equals(REJECTED))
                || state.startsWith(SHUTDOWN_OR_STARTING)
                || state.equals(TOO_MANY_CONNECTIONS);
    }

    private static boolean isMissing(@Nullable String state) {
        return "42P01".equals(state) || "42703".equals(state) || "3F000".equals(state);
    }
}
