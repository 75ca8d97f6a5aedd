package dev.outbox.inbox.kafka;

import dev.outbox.inbox.InboxUnavailableException;
import dev.outbox.inbox.PermanentEventException;
import dev.outbox.postgresql.TransactionRequiredException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.messaging.handler.annotation.support.MethodArgumentTypeMismatchException;
import org.springframework.transaction.CannotCreateTransactionException;

/** Tells failures of the database apart from failures of the record, by exception type and SQLSTATE, never by text. */
final class DatabaseAwareClassifier implements FailureClassifier {

    private static final int MAX_DEPTH = 50;

    private static final List<Class<? extends Throwable>> PERMANENT = List.of(
            PermanentEventException.class,
            MessageConversionException.class,
            MethodArgumentNotValidException.class,
            MethodArgumentTypeMismatchException.class);

    private static final List<Class<? extends Throwable>> TRANSIENT = List.of(
            InboxUnavailableException.class,
            TransactionRequiredException.class,
            CannotCreateTransactionException.class,
            TransientDataAccessException.class,
            RecoverableDataAccessException.class,
            DataAccessResourceFailureException.class,
            SQLTransientException.class,
            SQLRecoverableException.class,
            SQLNonTransientConnectionException.class);

    /** Connection, resources, operator, system. */
    private static final Set<String> TRANSIENT_CLASSES = Set.of("08", "53", "58");

    /** Read-only after a fail-over, serialization, deadlock, lock not available, statement timeout or cancel. */
    private static final Set<String> TRANSIENT_STATES = Set.of("25006", "40001", "40P01", "55P03", "57014");

    private static final String SHUTDOWN = "57P";

    @Override
    public FailureKind classify(Throwable failure) {
        List<Throwable> chain = chain(failure);
        if (chain.stream().anyMatch(OptimisticLockingFailureException.class::isInstance)) {
            return FailureKind.UNKNOWN;
        }
        if (chain.stream().anyMatch(DatabaseAwareClassifier::isTransient)) {
            return FailureKind.TRANSIENT;
        }
        return chain.stream().anyMatch(cause -> isAny(PERMANENT, cause)) ? FailureKind.PERMANENT : FailureKind.UNKNOWN;
    }

    private static boolean isTransient(Throwable cause) {
        if (isAny(TRANSIENT, cause)) {
            return true;
        }
        return cause instanceof SQLException sql && isTransient(sql.getSQLState());
    }

    private static boolean isTransient(@Nullable String state) {
        if (state == null) {
            // The server sends a state with each error. One without it is the pool's: its connection is gone.
            return true;
        }
        return TRANSIENT_STATES.contains(state)
                || state.startsWith(SHUTDOWN)
                || (state.length() > 2 && TRANSIENT_CLASSES.contains(state.substring(0, 2)));
    }

    private static boolean isAny(List<Class<? extends Throwable>> types, Throwable cause) {
        return types.stream().anyMatch(type -> type.isInstance(cause));
    }

    private static List<Throwable> chain(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable cause = failure; cause != null && chain.size() < MAX_DEPTH; cause = cause.getCause()) {
            chain.add(cause);
            if (cause instanceof SQLException sql && sql.getNextException() != null) {
                chain.add(sql.getNextException());
            }
        }
        return chain;
    }
}
