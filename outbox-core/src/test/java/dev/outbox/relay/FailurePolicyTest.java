package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Deliveries;
import dev.outbox.Outcome;
import dev.outbox.PublishFailure;
import dev.outbox.PublishFailure.Kind;
import java.time.Duration;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailurePolicyTest {

    private final FailurePolicy policy = new FailurePolicy(new RelaySettings(
            RelaySettings.Claims.defaults(),
            RelaySettings.Flow.defaults(),
            RelaySettings.Polling.defaults(),
            new RelaySettings.Retry(5, Duration.ofSeconds(1), Duration.ofSeconds(6), Duration.ofSeconds(10)),
            new RelaySettings.Parking(Set.of("goes-on"), Set.of()),
            RelaySettings.DEFAULT_SHUTDOWN_TIMEOUT));

    @Test
    void aPermanentFailureParksAtTheFirstAttempt() {
        Outcome outcome = outcome(0, Kind.PERMANENT);

        assertThat(outcome.state()).isEqualTo(Outcome.State.PARKED);
        assertThat(outcome.failure()).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"0, 1000", "1, 2000", "2, 4000", "3, 6000"})
    void aTransientFailureIsRetriedWithinALimitThatDoublesUpToItsMaximum(int failedBefore, long most) {
        long longest = 0;
        for (int i = 0; i < 100; i++) {
            Outcome outcome = outcome(failedBefore, Kind.TRANSIENT);
            assertThat(outcome.state()).isEqualTo(Outcome.State.RETRY);
            assertThat(outcome.delay()).isBetween(Duration.ZERO, Duration.ofMillis(most));
            longest = Math.max(longest, outcome.delay().toMillis());
        }
        assertThat(longest).isGreaterThan(most / 2);
    }

    @Test
    void anAggregateGoesOnBehindAParkedRecordWhereThatIsWanted() {
        Outcome outcome = policy.outcome(
                Deliveries.of(1, 0, "goes-on", "1"),
                new PublishFailure(Kind.PERMANENT, new IllegalStateException("no luck")));

        assertThat(outcome.state()).isEqualTo(Outcome.State.PASSED_OVER);
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
