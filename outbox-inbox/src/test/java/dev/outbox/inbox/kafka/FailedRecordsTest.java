package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.inbox.RetrySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class FailedRecordsTest {

    private final Exception failure = new IllegalStateException();

    private FailureKind kind = FailureKind.UNKNOWN;
    private long now = 1_000;
    private final FailedRecords failed = new FailedRecords(
            new RetrySettings(3, Duration.ofMillis(100), Duration.ofMillis(1_000)), cause -> kind, () -> now);

    @Test
    void anUnknownFailureIsRetriedUntilTheAttemptsAreSpent() {
        assertThat(add(0, 5).delay()).isBetween(50L, 150L);
        assertThat(add(0, 5).delay()).isBetween(100L, 300L);

        FailedRecords.Decision last = add(0, 5);

        assertThat(last.delay()).isNull();
        assertThat(last.attempts()).isEqualTo(3);
        assertThat(add(0, 5).delay()).isNull();
    }

    @Test
    void aPermanentFailureIsNotRetried() {
        kind = FailureKind.PERMANENT;

        assertThat(add(0, 5).delay()).isNull();
    }

    @Test
    void aTransientFailureCostsNoAttemptAndItsDelayIsCapped() {
        kind = FailureKind.TRANSIENT;
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            delays.add(Objects.requireNonNull(add(0, 5).delay()));
        }

        assertThat(delays).allMatch(delay -> delay >= 50 && delay <= 1_000);
        assertThat(delays.subList(10, 100)).allMatch(delay -> delay >= 500);
        kind = FailureKind.UNKNOWN;
        assertThat(add(0, 5).attempts()).isEqualTo(1);
        assertThat(add(0, 5).attempts()).isEqualTo(2);
        assertThat(add(0, 5).delay()).isNull();
    }

    @Test
    void partitionsAndRecordsAreCountedApart() {
        add(0, 5);
        add(0, 5);
        assertThat(add(1, 5).attempts()).isEqualTo(1);
        assertThat(add(0, 6).attempts()).isEqualTo(1);

        failed.remove(TestRecords.record(1, 5));
        assertThat(add(1, 5).attempts()).isEqualTo(1);
    }

    @Test
    void afterAFailedDeadLetteringTheWaitGrowsToo() {
        assertThat(failed.delayAfterFailedDeadLetter(TestRecords.record(0, 5))).isBetween(50L, 150L);
        for (int i = 0; i < 10; i++) {
            failed.delayAfterFailedDeadLetter(TestRecords.record(0, 5));
        }
        assertThat(failed.delayAfterFailedDeadLetter(TestRecords.record(0, 5))).isBetween(500L, 1_000L);
    }

    @Test
    void aRecordWaitsForItsOwnDelayWhateverElseFailsInItsPartition() {
        long delay = Objects.requireNonNull(add(0, 5).delay());
        assertThat(failed.remainingDelay(TestRecords.record(0, 5))).isEqualTo(delay);
        assertThat(failed.remainingDelay(TestRecords.record(0, 6))).isZero();

        now += delay - 1;
        add(0, 6);
        assertThat(failed.remainingDelay(TestRecords.record(0, 5))).isEqualTo(1);
        now++;
        assertThat(failed.remainingDelay(TestRecords.record(0, 5))).isZero();
        assertThat(add(0, 5).attempts()).isEqualTo(2);
    }

    @Test
    void aSettledRecordIsKnownUntilItsPartitionHasGonePastIt() {
        add(0, 5);
        failed.settle(TestRecords.record(0, 5));
        assertThat(failed.isSettled(TestRecords.record(0, 5))).isTrue();
        assertThat(failed.contains(TestRecords.record(0, 5))).isFalse();

        failed.passed(new TopicPartition("orders.v1", 0), 6);
        assertThat(failed.isSettled(TestRecords.record(0, 5))).isFalse();
    }

    @Test
    void whatIsPassedOrRevokedIsForgotten() {
        add(0, 5);
        add(0, 6);
        add(1, 5);

        failed.passed(new TopicPartition("orders.v1", 0), 6);
        failed.forget(List.of(new TopicPartition("orders.v1", 1)));

        assertThat(failed.contains(TestRecords.record(0, 5))).isFalse();
        assertThat(failed.contains(TestRecords.record(0, 6))).isTrue();
        assertThat(failed.contains(TestRecords.record(1, 5))).isFalse();
    }

    @Test
    void aPartitionRemembersItsFirstFailuresOnly() {
        for (int offset = 0; offset <= FailedRecords.MAX_PER_PARTITION; offset++) {
            add(0, offset);
        }

        assertThat(failed.contains(TestRecords.record(0, FailedRecords.MAX_PER_PARTITION - 1)))
                .isTrue();
        assertThat(failed.contains(TestRecords.record(0, FailedRecords.MAX_PER_PARTITION)))
                .isFalse();
    }

    private FailedRecords.Decision add(int partition, long offset) {
        return failed.add(TestRecords.record(partition, offset), failure);
    }
}
