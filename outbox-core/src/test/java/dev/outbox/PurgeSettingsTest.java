package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PurgeSettingsTest {

    @ParameterizedTest
    @CsvSource({
        "PT-0.001S, PT1M, 1000, retention",
        "P7D, PT0.099S, 1000, period",
        "P7D, PT1M, 0, batch",
        "P7D, PT1M, 100001, batch"
    })
    void refusesWhatIsOutOfRange(Duration retention, Duration period, int batchSize, String named) {
        assertThatThrownBy(() -> new PurgeSettings(retention, period, batchSize))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(named);
    }

    @Test
    void aRetentionOfZeroIsAllowed() {
        assertThat(new PurgeSettings(Duration.ZERO, Duration.ofMinutes(1), 1).retention())
                .isZero();
    }
}
