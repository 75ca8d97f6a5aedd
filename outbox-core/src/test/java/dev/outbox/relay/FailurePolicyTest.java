package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Deliveries;
import dev.outbox.Outcome;
import dev.outbox.PublishFailure;
import dev.outbox.PublishFailure.Kind;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailurePolicyTest {

    private final FailurePolicy policy = new FailurePolicy(
            new RelaySettings.Retry(5, Duration.ofSeconds(1), Duration.ofSeconds(6), Duration.ofSeconds(10)));

    @Test
    void aPermanentFailureParksAtTheFirstAttempt() {
        Outcome outcome = outcome(0, Kind.PERMANENT);

        assertThat(outcome.state()).isEqualTo(Outcome.State.PARKED);
        assertThat(outcome.failure()).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"0, 500, 1500", "1, 1000, 3000", "2, 2000, 6000", "3, 3000, 6000"})
    void aTransientFailureIsRetriedAfterADelayThatDoublesUpToItsMaximum(int failedBefore, long least, long most) {
        for (int i = 0; i < 50; i++) {
            Outcome outcome = outcome(failedBefore, Kind.TRANSIENT);
            assertThat(outcome.state()).isEqualTo(Outcome.State.RETRY);
            assertThat(outcome.delay()).isBetween(Duration.ofMillis(least), Duration.ofMillis(most));
        }
    }

    @Test
    void delaysAreSpread() {
        assertThat(IntStream.range(0, 50)
                        .mapToObj(i -> outcome(0, Kind.TRANSIENT).delay())
                        .distinct())
                .hasSizeGreaterThan(10);
    }

    @Test
    void theLastAttemptParks() {
        assertThat(outcome(3, Kind.TRANSIENT).state()).isEqualTo(Outcome.State.RETRY);
        assertThat(outcome(4, Kind.TRANSIENT).state()).isEqualTo(Outcome.State.PARKED);
        assertThat(outcome(400, Kind.TRANSIENT).state()).isEqualTo(Outcome.State.PARKED);
    }

    @RepeatedTest(5)
    void anOutageNeverParksHoweverOftenItWasTried() {
        Outcome outcome = outcome(1_000_000, Kind.UNAVAILABLE);

        assertThat(outcome.state()).isEqualTo(Outcome.State.DEFERRED);
        assertThat(outcome.delay()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(15));
    }

    private Outcome outcome(int failedBefore, Kind kind) {
        return policy.outcome(
                Deliveries.of(1, failedBefore, "orders", "1"),
                new PublishFailure(kind, new IllegalStateException("no luck")));
    }
}
