package dev.outbox.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseOutageTest {

    @ParameterizedTest
    @ValueSource(strings = {"08001", "08006", "08003", "57P01", "57P02", "57P03", "53300"})
    void isToldByItsState(String state) {
        assertThat(DatabaseOutage.isCauseOf(new IllegalStateException(new SQLException("gone", state))))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"28P01", "3D000", "42501", "42P01", "08004", "57014", "25006"})
    void isNotWhatAServerSaysThatWasReached(String state) {
        assertThat(DatabaseOutage.isCauseOf(new IllegalStateException(new SQLException("no", state))))
                .isFalse();
    }

    @Test
    void isWhatAPoolSaysThatHasNoConnectionUnlessItsCauseSaysOtherwise() {
        assertThat(DatabaseOutage.isCauseOf(new SQLTransientConnectionException("timed out after 30 s")))
                .isTrue();
        assertThat(DatabaseOutage.isCauseOf(new SQLTransientConnectionException(
                        "timed out after 30 s", new SQLException("wrong password", "28P01"))))
                .isFalse();
    }

    @Test
    void isNotAnyOtherFailure() {
        assertThat(DatabaseOutage.isCauseOf(new SchemaException("a column is missing", null)))
                .isFalse();
        assertThat(DatabaseOutage.isCauseOf(new SQLException("no state"))).isFalse();
    }
}
