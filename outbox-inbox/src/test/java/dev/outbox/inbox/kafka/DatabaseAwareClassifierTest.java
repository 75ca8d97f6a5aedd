package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.inbox.InboxUnavailableException;
import dev.outbox.postgresql.TransactionRequiredException;
import java.net.ConnectException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;

class DatabaseAwareClassifierTest {

    private final DatabaseAwareClassifier classifier = new DatabaseAwareClassifier();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "08006", "08003", "53300", "53100", "57P01", "57P03", "58030", "25006", "40001", "40P01", "55P03",
                "57014", "25P03", "25P04"
            })
    void aStateOfTheDatabaseIsTransientHoweverDeepAndInWhateverLanguage(String state) {
        SQLException cause = new SQLException("Verbindung verloren", state);

        assertThat(classify(cause)).isEqualTo(FailureKind.TRANSIENT);
        assertThat(classify(new TransactionSystemException("commit", new IllegalStateException(cause))))
                .isEqualTo(FailureKind.TRANSIENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"23503", "23505", "23P01", "42601", "25P02", "P0001", ""})
    void anErrorOfAStatementIsNot(String state) {
        assertThat(classify(new DataIntegrityViolationException("x", new SQLException("could not connect", state))))
                .isEqualTo(FailureKind.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"22001", "22003", "22P02", "22021", "23502", "23514"})
    void valuesThatTheirColumnsRefuseArePermanent(String state) {
        assertThat(classify(new DataIntegrityViolationException("x", new SQLException("Wert zu lang", state))))
                .isEqualTo(FailureKind.PERMANENT);
    }

    @Test
    void anSqlExceptionWithoutStateIsTransientOnlyAtTheTransactionsBorder() {
        SQLException closed = new SQLException("Connection is closed");

        assertThat(classify(new TransactionSystemException("x", closed))).isEqualTo(FailureKind.TRANSIENT);
        assertThat(classify(closed)).isEqualTo(FailureKind.UNKNOWN);
        assertThat(classify(new IllegalStateException(closed))).isEqualTo(FailureKind.UNKNOWN);
    }

    @Test
    void aPoolThatIsExhaustedOrHasLostItsConnectionIsTransient() {
        assertThat(classify(new CannotCreateTransactionException("x", new ConnectException())))
                .isEqualTo(FailureKind.TRANSIENT);
        assertThat(classify(new SQLTransientConnectionException("timed out"))).isEqualTo(FailureKind.TRANSIENT);
        assertThat(classify(new CannotGetJdbcConnectionException("x"))).isEqualTo(FailureKind.TRANSIENT);
        assertThat(classify(new TransactionSystemException("x", new SQLException("Connection is closed"))))
                .isEqualTo(FailureKind.TRANSIENT);
    }

    @Test
    void aLockIsTransientButALostUpdateMayBeTheHandlersMistake() {
        assertThat(classify(new CannotAcquireLockException("x"))).isEqualTo(FailureKind.TRANSIENT);
        assertThat(classify(new OptimisticLockingFailureException("x"))).isEqualTo(FailureKind.UNKNOWN);
    }

    @Test
    void whatTheInboxItselfCannotDoIsNeverTheRecordsFault() {
        assertThat(classify(new InboxUnavailableException("x", new SQLException("no such table", "42P01"))))
                .isEqualTo(FailureKind.TRANSIENT);
        assertThat(classify(new TransactionRequiredException("x"))).isEqualTo(FailureKind.TRANSIENT);
    }

    @Test
    void theNextExceptionOfABatchIsSeen() {
        BatchUpdateException batch = new BatchUpdateException("batch", "23505", new int[0]);
        batch.setNextException(new SQLException("x", "40001"));

        assertThat(classify(batch)).isEqualTo(FailureKind.TRANSIENT);
    }

    @Test
    void anUnusableRecordIsPermanent() {
        assertThat(classify(new UnusableRecordException("x"))).isEqualTo(FailureKind.PERMANENT);
        assertThat(classify(new IllegalStateException(new MessageConversionException("x"))))
                .isEqualTo(FailureKind.PERMANENT);
    }

    @Test
    void theRestIsUnknownAlsoIfItIsItsOwnCause() {
        Exception first = new IllegalStateException("first");
        Exception second = new IllegalStateException("second", first);
        first.initCause(second);

        assertThat(classify(first)).isEqualTo(FailureKind.UNKNOWN);
        assertThat(FailureCause.describe(first)).isNotEmpty();
    }

    private FailureKind classify(Throwable failure) {
        return classifier.classify(failure);
    }
}
