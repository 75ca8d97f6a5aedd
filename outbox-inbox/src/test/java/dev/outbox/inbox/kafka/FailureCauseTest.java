package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
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
    void theRootCauseComesFirst() {
        assertThat(FailureCause.describe(new IllegalStateException("outer", new IllegalArgumentException("inner"))))
                .isEqualTo("java.lang.IllegalArgumentException: inner (in java.lang.IllegalStateException: outer)");
        assertThat(FailureCause.describe(new IllegalStateException("alone")))
                .isEqualTo("java.lang.IllegalStateException: alone");
    }

    @Test
    void aTextIsCutBetweenCharactersAndCleaned() {
        assertThat(FailureCause.trim("a\u0000b\nc\ud800d")).isEqualTo("a b c?d");
        assertThat(FailureCause.trim("x".repeat(1024))).hasSize(1024);
        assertThat(FailureCause.trim("x".repeat(1023) + "€").getBytes(StandardCharsets.UTF_8))
                .hasSize(1023);
        assertThat(FailureCause.trim("\ud83d\ude00".repeat(1_000)).getBytes(StandardCharsets.UTF_8))
                .hasSize(1024);
    }

    @Test
    void anExceptionWithAHugeMessageIsNotLogged() {
        Exception small = new IllegalStateException("small");

        assertThat(FailureCause.loggable(small)).isSameAs(small);
        assertThat(FailureCause.loggable(new IllegalStateException(new IllegalStateException("x".repeat(20_000)))))
                .isNull();
    }
}
