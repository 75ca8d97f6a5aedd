package dev.outbox.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class FailureTextTest {

    private static final String DUPLICATE = "ERROR: duplicate key value violates unique constraint \"email_key\"";
    private final SQLException violation =
            new SQLException(DUPLICATE + "\n  Detail: Key (email)=(secret) already exists.", "23505");

    @Test
    void theRootCauseComesFirst() {
        assertThat(FailureText.describe(new IllegalStateException("outer", new IllegalArgumentException("inner"))))
                .isEqualTo("java.lang.IllegalArgumentException: inner (in java.lang.IllegalStateException: outer)");
        assertThat(FailureText.describe(new IllegalStateException("alone")))
                .isEqualTo("java.lang.IllegalStateException: alone");
    }

    @Test
    void aTextIsCutBetweenCharactersAndCleaned() {
        assertThat(FailureText.trim("a\u0000b\nc\ud800d")).isEqualTo("a b c?d");
        assertThat(FailureText.trim("x".repeat(1024))).hasSize(1024);
        assertThat(FailureText.trim("x".repeat(1023) + "€").getBytes(StandardCharsets.UTF_8))
                .hasSize(1023);
        assertThat(FailureText.trim("\ud83d\ude00".repeat(1_000)).getBytes(StandardCharsets.UTF_8))
                .hasSize(1024);
    }

    @Test
    void whatTheDatabaseSaysAboutTheValuesIsNotToldEvenWhereOthersRepeatIt() {
        assertThat(FailureText.describe(violation))
                .isEqualTo("java.sql.SQLException: " + DUPLICATE + " [SQLSTATE 23505]");
        assertThat(FailureText.describe(new IllegalStateException(
                        "could not execute [" + violation.getMessage() + "] [insert into x]", violation)))
                .contains("could not execute [" + DUPLICATE + " [SQLSTATE 23505]")
                .doesNotContain("secret");
    }

    @Test
    void ofDataExceptionsAndBatchesOnlyTheStateIsTold() {
        SQLException data = new SQLException("ERROR: invalid input syntax for type integer: \"secret\"", "22P02");
        BatchUpdateException batch = new BatchUpdateException(
                "Batch entry 0 INSERT INTO x VALUES ('secret') was aborted: " + violation.getMessage(),
                "23505",
                0,
                new int[0],
                violation);
        batch.setNextException(violation);

        assertThat(FailureText.describe(new IllegalStateException(data.getMessage(), data)))
                .isEqualTo(
                        "java.sql.SQLException: SQLSTATE 22P02 (in java.lang.IllegalStateException: SQLSTATE 22P02)");
        assertThat(FailureText.describe(new IllegalStateException("SQL []; " + batch.getMessage(), batch)))
                .doesNotContain("secret")
                .contains("SQLSTATE 23505");
        assertThat(FailureText.safe(batch)).isEqualTo("java.sql.BatchUpdateException: SQLSTATE 23505");
    }
}
