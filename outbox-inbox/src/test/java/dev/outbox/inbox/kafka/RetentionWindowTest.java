package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.OutsideWindow;
import dev.outbox.inbox.PermanentEventException;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.RecordPosition;
import dev.outbox.inbox.StopConsumerException;
import dev.outbox.inbox.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class RetentionWindowTest {

    private static final ConsumerName CONSUMER = new ConsumerName("billing");
    private static final Duration RETENTION = Duration.ofDays(8);

    private final Instant now = Instant.parse("2026-05-01T12:00:00Z");
    private final RecordingListener observed = new RecordingListener();
    private Duration databaseAhead = Duration.ZERO;
    private int databaseAsked;

    @Test
    void whatTheInboxStillRemembersIsAdmittedWhateverThePolicy() {
        assertThat(admit(OutsideWindow.STOP, RETENTION)).isEqualTo(Verdict.APPLIED);
        assertThat(admit(OutsideWindow.DEAD_LETTER, Duration.ofMinutes(-5))).isEqualTo(Verdict.APPLIED);
        assertThat(observed.count("outsideWindow billing")).isZero();
    }

    @Test
    void theDatabasesClockDecidesAndIsNotAskedAboutYoungRecords() {
        databaseAhead = Duration.ofDays(5);

        assertThat(admit(OutsideWindow.STOP, Duration.ofDays(4))).isEqualTo(Verdict.APPLIED);
        assertThat(databaseAsked).isZero();
        assertThatExceptionOfType(StopConsumerException.class)
                .isThrownBy(() -> admit(OutsideWindow.STOP, Duration.ofDays(4).plusMillis(1)));
        assertThat(databaseAsked).isEqualTo(1);
    }

    @Test
    void eachPolicyDoesWhatItsNameSaysAndIsCounted() {
        Duration age = Duration.ofDays(9).plusHours(3);

        assertThat(admit(OutsideWindow.PROCESS, age)).isEqualTo(Verdict.APPLIED);
        assertThatExceptionOfType(PermanentEventException.class)
                .isThrownBy(() -> admit(OutsideWindow.DEAD_LETTER, age))
                .withMessageContaining("9 d 3 h old and the inbox remembers 8 d");
        assertThatExceptionOfType(StopConsumerException.class)
                .isThrownBy(() -> admit(OutsideWindow.STOP, age))
                .withMessageContaining("9 d 3 h old");
        assertThat(observed.count("outsideWindow billing")).isEqualTo(3);
    }

    @Test
    void aRecordWithoutTimestampCountsAsYoung() {
        assertThat(window(OutsideWindow.STOP).admit(CONSUMER, event(-1))).isEqualTo(Verdict.APPLIED);
        assertThat(databaseAsked).isZero();
    }

    private Verdict admit(OutsideWindow policy, Duration age) {
        return window(policy).admit(CONSUMER, event(now.minus(age).toEpochMilli()));
    }

    private RetentionWindow window(OutsideWindow policy) {
        return new RetentionWindow(
                policy,
                RETENTION,
                () -> now,
                () -> {
                    databaseAsked++;
                    return now.plus(databaseAhead);
                },
                observed);
    }

    private static ReceivedEvent event(long timestamp) {
        EventMetadata metadata = new EventMetadata(UUID.randomUUID(), Map.of(), new RecordPosition("orders.v1", 0, 1));
        return new ReceivedEvent(
                metadata,
                new ConsumerRecord<>(
                        "orders.v1",
                        0,
                        1,
                        timestamp,
                        timestamp < 0 ? TimestampType.NO_TIMESTAMP_TYPE : TimestampType.CREATE_TIME,
                        0,
                        0,
                        new byte[0],
                        new byte[0],
                        new RecordHeaders(),
                        Optional.empty()));
    }
}
