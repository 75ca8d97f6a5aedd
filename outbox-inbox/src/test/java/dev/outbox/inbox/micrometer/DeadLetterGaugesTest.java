package dev.outbox.inbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.LocalConsumers;
import dev.outbox.inbox.OpenDeadLetters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadLetterGaugesTest {

    private static final OpenDeadLetters BILLING =
            new OpenDeadLetters(new ConsumerName("billing"), 3, Duration.ofMinutes(2));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final DeadLetterGauges gauges = new DeadLetterGauges(registry, new LocalConsumers());

    @Test
    void eachConsumerShowsWhatWasFoundLastAndNothingWhenTheDatabaseIsSilent() {
        gauges.accept(List.of(BILLING));
        assertThat(open()).isEqualTo(3);
        assertThat(registry.get("outbox.inbox.dead.letters.oldest.age")
                        .tag("consumer", "billing")
                        .timeGauge()
                        .value())
                .isEqualTo(120);

        gauges.accept(List.of());
        assertThat(open()).isZero();

        gauges.accept(null);
        assertThat(open()).isNaN();
    }

    private double open() {
        return registry.get("outbox.inbox.dead.letters")
                .tag("consumer", "billing")
                .gauge()
                .value();
    }
}
