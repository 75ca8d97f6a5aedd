package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.listener.ListenerExecutionFailedException;

class FailureCauseTest {

    @Test
    void whatTheContainerWrapsAroundACauseIsTakenOff() {
        IllegalStateException cause = new IllegalStateException("no stock");

        assertThat(FailureCause.of(
                        new ListenerExecutionFailedException("x", new ListenerExecutionFailedException("y", cause))))
                .isSameAs(cause);
    }

    @Test
    void anExceptionWithAHugeMessageIsNotLogged() {
        Exception small = new IllegalStateException("small");

        assertThat(FailureCause.loggable(small)).isSameAs(small);
        assertThat(FailureCause.loggable(new IllegalStateException(new IllegalStateException("x".repeat(20_000)))))
                .isNull();
    }

    @Test
    void anExceptionOfTheDatabaseIsLoggedWithoutTheValuesThatItQuotes() {
        SQLException violation =
                new SQLException("ERROR: duplicate key\n  Detail: Key (email)=(secret) already exists.", "23505");
        Exception thrown = new IllegalStateException("SQL []; " + violation.getMessage(), violation);

        StringWriter logged = new StringWriter();
        Objects.requireNonNull(FailureCause.loggable(thrown)).printStackTrace(new PrintWriter(logged));

        assertThat(logged.toString())
                .contains("IllegalStateException: SQL []; ERROR: duplicate key [SQLSTATE 23505]")
                .contains("Caused by")
                .contains("at dev.outbox.inbox.kafka.FailureCauseTest.")
                .doesNotContain("secret");
    }
}
