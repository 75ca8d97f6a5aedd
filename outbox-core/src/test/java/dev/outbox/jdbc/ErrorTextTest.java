package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Deliveries;
import dev.outbox.Outcome;
import dev.outbox.PublishFailure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ErrorTextTest {

    @Test
    void namesTheExceptionAndWhatItSays() {
        assertThat(ErrorText.of(new IllegalStateException("broker says no")))
                .isEqualTo("java.lang.IllegalStateException: broker says no");
    }

    @Test
    void doesWithoutAMessage() {
        assertThat(ErrorText.of(new IllegalStateException())).isEqualTo("java.lang.IllegalStateException");
    }

    @Test
    void trimsAndCleansWhatTheDatabaseWouldRefuse() {
        assertThat(ErrorText.of(new IllegalStateException("x".repeat(50_000)))).hasSize(1_000);
        assertThat(ErrorText.of(new IllegalStateException("a\0b\ud800c"))).endsWith(": a b?c");
        String prefix = "java.lang.IllegalStateException: ";
        assertThat(ErrorText.of(new IllegalStateException("x".repeat(999 - prefix.length()) + "😀")))
                .hasSize(1_000)
                .endsWith("x?");
    }

    @Test
    void anOutcomeWithoutAFailureHasNoText() {
        var delivery = Deliveries.of(1, "orders", "a");
        assertThat(ErrorText.of(Outcome.published(delivery))).isNull();
        assertThat(ErrorText.of(new Outcome(
                        delivery,
                        Outcome.State.PARKED,
                        Duration.ZERO,
                        new PublishFailure(PublishFailure.Kind.PERMANENT, new IllegalStateException("no")))))
                .endsWith("no");
    }
}
