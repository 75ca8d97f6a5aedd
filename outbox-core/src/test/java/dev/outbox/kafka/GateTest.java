package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class GateTest {

    private static final Duration TRIAL = Duration.ofSeconds(30);

    private long now;
    private final Gate gate = new Gate(Gate.State.CLOSED, TRIAL, () -> now);

    @Test
    void letsNobodyInWhileClosedAndEverybodyWhileOpen() {
        assertThat(gate.enter()).isEqualTo(Gate.REFUSED);
        assertThat(gate.admits()).isFalse();
        assertThat(gate.open()).isTrue();
        assertThat(gate.open()).isFalse();
        assertThat(gate.enter()).isNotEqualTo(Gate.REFUSED).isEqualTo(gate.enter());
    }

    @Test
    void letsOneInWhileHalfOpenWhoseAcknowledgementOpensIt() {
        gate.halfOpen();
        long trial = gate.enter();
        assertThat(trial).isNotEqualTo(Gate.REFUSED);
        assertThat(gate.admits()).isFalse();
        assertThat(gate.enter()).isEqualTo(Gate.REFUSED);

        assertThat(gate.acknowledged(trial)).isTrue();
        assertThat(gate.state()).isEqualTo(Gate.State.OPEN);
        assertThat(gate.failures()).isZero();
    }

    @Test
    void aFailedTrialClosesIt() {
        gate.halfOpen();
        assertThat(gate.failed(gate.enter())).isTrue();
        assertThat(gate.state()).isEqualTo(Gate.State.CLOSED);
        assertThat(gate.failures()).isEqualTo(1);
        gate.stayClosed();
        assertThat(gate.failures()).isEqualTo(2);
    }

    @Test
    void aTrialThatSaysNothingMakesRoomForTheNext() {
        gate.halfOpen();
        gate.undecided(gate.enter());
        assertThat(gate.state()).isEqualTo(Gate.State.HALF_OPEN);
        assertThat(gate.enter()).isNotEqualTo(Gate.REFUSED);
        assertThat(gate.enter()).isEqualTo(Gate.REFUSED);
    }

    @Test
    void aLostTrialIsReplacedAndItsLateOutcomeIgnored() {
        gate.halfOpen();
        long lost = gate.enter();
        now += TRIAL.toNanos();
        assertThat(gate.enter()).isEqualTo(Gate.REFUSED);
        now++;
        assertThat(gate.admits()).isTrue();
        long second = gate.enter();
        assertThat(second).isNotEqualTo(Gate.REFUSED);

        assertThat(gate.failed(lost)).isFalse();
        gate.undecided(lost);
        assertThat(gate.enter()).isEqualTo(Gate.REFUSED);
        assertThat(gate.acknowledged(lost)).isFalse();
        assertThat(gate.acknowledged(second)).isTrue();
    }

    @Test
    void ofHundredsThatFailInOneOutageTheFirstCloses() {
        gate.open();
        long turn = gate.enter();
        assertThat(gate.failed(turn)).isTrue();
        assertThat(gate.failed(turn)).isFalse();
        assertThat(gate.failures()).isEqualTo(1);
    }

    @Test
    void whoEnteredBeforeAnOutageDecidesNothingAfterIt() {
        gate.open();
        long before = gate.enter();
        gate.failed(before);
        gate.halfOpen();
        long trial = gate.enter();

        assertThat(gate.failed(before)).isFalse();
        assertThat(gate.acknowledged(before)).isFalse();
        assertThat(gate.state()).isEqualTo(Gate.State.HALF_OPEN);
        assertThat(gate.acknowledged(trial)).isTrue();
    }

    @Test
    void halfOpensOnlyWhatIsClosed() {
        gate.open();
        assertThat(gate.halfOpen()).isFalse();
        assertThat(gate.state()).isEqualTo(Gate.State.OPEN);
    }
}
