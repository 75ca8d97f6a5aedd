package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.BatchLimits;
import dev.outbox.Ordering;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class RelaySettingsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void hasSoundDefaults() {
        assertThat(RelaySettings.defaults().claims().workers()).isEqualTo(1);
    }

    @Test
    void namesTheValueThatIsOutOfRangeAndTheRange() {
        assertRefused(() -> settings(0, 1, SECOND), "workers: 0, must be from 1 to 64");
        assertRefused(() -> settings(65, 1, SECOND), "workers: 65, must be from 1 to 64");
        assertRefused(() -> settings(1, 65, SECOND), "lanes per claim: 65, must be from 1 to 64");
        assertRefused(() -> settings(1, 1, Duration.ZERO), "shutdown timeout: PT0S, at least 1 ms required");
        assertRefused(() -> new BatchLimits(0, 1), "batch size: 0, at least 1 required");
        assertRefused(() -> new BatchLimits(1, 0), "batch bytes: 0, at least 1 required");
        assertRefused(() -> new RelaySettings.Claims(1, 1, Duration.ZERO), "tenure: PT0S, at least 1 ms required");
        assertRefused(
                () -> new RelaySettings.Flow(Ordering.STRICT, 100, 1, 99, 1),
                "in-flight records: 99, must be from 100");
        assertRefused(
                () -> new RelaySettings.Flow(Ordering.STRICT, 1, 100, 1, 99), "in-flight bytes: 99, must be from 100");
        assertRefused(
                () -> new RelaySettings.Polling(SECOND, Duration.ofMillis(1)),
                "polling interval: PT1S exceeds its maximum PT0.001S");
        assertRefused(
                () -> new RelaySettings.Polling(Duration.ZERO, SECOND),
                "polling interval: PT0S, at least 1 ms required");
        assertRefused(() -> new RelaySettings.Retry(0, SECOND, SECOND, SECOND), "max attempts: 0, must be from 1");
        assertRefused(
                () -> new RelaySettings.Retry(1, SECOND, Duration.ofMillis(1), SECOND),
                "retry delay: PT1S exceeds its maximum PT0.001S");
        assertRefused(
                () -> new RelaySettings.Retry(1, SECOND, SECOND, Duration.ZERO),
                "unavailable delay: PT0S, at least 1 ms required");
    }

    private static RelaySettings settings(int workers, int lanes, Duration shutdown) {
        return new RelaySettings(
                new RelaySettings.Claims(workers, lanes, SECOND),
                RelaySettings.Flow.defaults(),
                RelaySettings.Polling.defaults(),
                RelaySettings.Retry.defaults(),
                RelaySettings.Parking.defaults(),
                shutdown);
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessageStartingWith(message);
    }
}
