package dev.outbox.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class InboxSettingsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void theDefaultsAreTheDocumentedConstants() {
        InboxSettings defaults = InboxSettings.defaults();

        assertThat(defaults.eventIdHeader()).isEqualTo("ce_id");
        assertThat(defaults.tables().qualified("processed")).isEqualTo("\"public\".\"inbox_processed\"");
        assertThat(defaults.retry()).isEqualTo(new RetrySettings(10, Duration.ofMillis(500), Duration.ofSeconds(30)));
        assertThat(defaults.deadLetters().topicFor("orders.v1")).isEqualTo("orders.v1-dlt");
        assertThat(defaults.purge()).isEqualTo(new PurgeSettings(Duration.ofDays(8), Duration.ofMinutes(1), 1_000));
        assertThat(defaults.window())
                .isEqualTo(new WindowSettings(OutsideWindow.PROCESS, RetentionCheck.WARN, Duration.ofDays(1)));
    }

    @Test
    void aValueOutOfRangeIsNamedWithItsRange() {
        refused(() -> new RetrySettings(0, SECOND, SECOND), "attempts must be at least 1, not 0");
        refused(() -> new RetrySettings(1, Duration.ZERO, SECOND), "first delay must be at least 1 ms");
        refused(() -> new RetrySettings(1, SECOND, Duration.ofMillis(999)), "between the first delay, which is PT1S");
        refused(() -> new RetrySettings(1, SECOND, Duration.ofHours(2)), "and PT1H, not PT2H");
        refused(() -> deadLetters("", 1 << 20, SECOND, SECOND), "suffix of dead-letter topics");
        refused(() -> deadLetters("/dlt", 1 << 20, SECOND, SECOND), "\"/dlt\" does not");
        refused(() -> deadLetters("-dlt", 1000, SECOND, SECOND), "between 1048576 and 1073741824 bytes, not 1000");
        refused(() -> deadLetters("-dlt", 1 << 20, Duration.ZERO, SECOND), "wait for metadata");
        refused(() -> deadLetters("-dlt", 1 << 20, SECOND, Duration.ofDays(30)), "wait for the acknowledgement");
        refused(() -> new PurgeSettings(Duration.ZERO, SECOND, 1), "retention must be at least 1 second");
        refused(
                () -> new PurgeSettings(SECOND, Duration.ofMillis(1), 1),
                "period of the purge must be at least 100 ms");
        refused(() -> new PurgeSettings(SECOND, SECOND, 0), "between 1 and 100000, not 0");
        refused(
                () -> new WindowSettings(OutsideWindow.STOP, RetentionCheck.FAIL, SECOND.negated()),
                "must not be negative, which PT-1S is");
        refused(() -> new ConsumerName(""), "0 characters");
        refused(() -> new ConsumerName("a b"), "\"a b\"");
        refused(() -> new ConsumerName("x".repeat(201)), "201 characters");
    }

    private static DeadLetterSettings deadLetters(String suffix, int bytes, Duration block, Duration delivery) {
        return new DeadLetterSettings(DeadLetterSettings.DEFAULT_RETENTION, false, suffix, bytes, block, delivery);
    }

    private static void refused(ThrowingCallable settings, String words) {
        assertThatIllegalArgumentException().isThrownBy(settings).withMessageContaining(words);
    }
}
