package dev.outbox.inbox.kafka;

import dev.outbox.inbox.InboxUnavailableException;
import dev.outbox.inbox.PermanentEventException;
import dev.outbox.postgresql.TransactionRequiredException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.List;
import java.util.Set;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.messaging.handler.annotation.support.MethodArgumentTypeMismatchException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;

/** Tells failures of the database apart from failures of the record, by exception type and SQLSTATE, never by text. */
final class DatabaseAwareClassifier implements FailureClassifier {

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

    /**
     * Read-only after a fail-over, serialization, deadlock, lock not available, statement timeout or cancel, a transaction
     * that was idle or open for too long.
     */
    private static final Set<String> TRANSIENT_STATES =
            Set.of("25006", "40001", "40P01", "55P03", "57014", "25P03", "25P04");

    private static final String SHUTDOWN = "57P";

    /** Values that their columns can't take: no repeat changes them. */
    private static final String DATA_CLASS = "22";

    /**
     * Null in a column that has none, and a violated check. Other constraints look at other rows, which may be there, or
     * be seen, at the next attempt.
     */
    private static final Set<String> PERMANENT_STATES = Set.of("23502", "23514");

    @Override
    public FailureKind classify(Throwable failure) {
        List<Throwable> chain = CauseChain.of(failure);
        if (chain.stream().anyMatch(OptimisticLockingFailureException.class::isInstance)) {
            return FailureKind.UNKNOWN;
        }
        boolean atTheBorder = chain.stream().anyMatch(TransactionException.class::isInstance);
        if (chain.stream().anyMatch(cause -> isTransient(cause, atTheBorder))) {
            return FailureKind.TRANSIENT;
        }
        return chain.stream().anyMatch(DatabaseAwareClassifier::isPermanent)
                ? FailureKind.PERMANENT
                : FailureKind.UNKNOWN;
    }

    private static boolean isTransient(Throwable cause, boolean atTheBorder) {
        if (isAny(TRANSIENT, cause)) {
            return true;
        }
        if (!(cause instanceof SQLException sql)) {
            return false;
        }
        // The server sends a state with each error. Without one, an error of begin, commit or rollback is the pool's or
        // the
        // driver's: the connection is gone. Elsewhere it may be of the handler's own making.
        return sql.getSQLState() == null ? atTheBorder : isTransient(sql.getSQLState());
    }

    private static boolean isTransient(String state) {
        return TRANSIENT_STATES.contains(state)
                || state.startsWith(SHUTDOWN)
                || (state.length() > 2 && TRANSIENT_CLASSES.contains(state.substring(0, 2)));
    }

    private static boolean isPermanent(Throwable cause) {
        if (isAny(PERMANENT, cause)) {
            return true;
        }
        return cause instanceof SQLException sql
                && sql.getSQLState() != null
                && (sql.getSQLState().startsWith(DATA_CLASS) || PERMANENT_STATES.contains(sql.getSQLState()));
    }

    private static boolean isAny(List<Class<? extends Throwable>> types, Throwable cause) {
        return types.stream().anyMatch(type -> type.isInstance(cause));
    }
}
