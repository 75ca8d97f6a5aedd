package dev.outbox.inbox;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class VersionSettingsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void valuesOutOfRangeAreRefusedByName() {
        refused("early events of an aggregate", () -> with(0, 1, SECOND, SECOND));
        refused("early events of an aggregate", () -> with(100_001, 1, SECOND, SECOND));
        refused("early events of a consumer", () -> with(1, 0, SECOND, SECOND));
        refused("timeout", () -> with(1, 1, Duration.ofMillis(99), SECOND));
        refused("period", () -> with(1, 1, SECOND, Duration.ofMillis(99)));
        refused("period", () -> with(1, 1, SECOND, Duration.ofSeconds(61)));
    }

    private static VersionSettings with(int aggregate, int consumer, Duration timeout, Duration period) {
        return new VersionSettings(aggregate, consumer, timeout, VersionTimeout.WAIT, period);
    }

    private static void refused(String field, Runnable construction) {
        assertThatIllegalArgumentException().isThrownBy(construction::run).withMessageContaining(field);
    }
}
