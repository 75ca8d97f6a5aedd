package dev.outbox.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.testkit.CommittedEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class FindingsTest {

    private static final List<CommittedEvent> COMMITTED =
            List.of(new CommittedEvent("e1", "a", 1), new CommittedEvent("e2", "a", 2));

    @Test
    void aMarkAtOrAfterTheTimeAtWhichTheBrokerTookTheRecordIsInOrder() {
        Findings findings =
                findings(List.of(record(0, "e1", 100), record(1, "e2", 100)), Map.of("e1", 100L, "e2", 101L));

        assertThat(findings.isClean()).isTrue();
        assertThat(findings.summary(3))
                .isEqualTo("chaos: events=2 faults=3 lost=0 phantom=0 overtaken=0 early-marks=0 repeats=0");
    }

    @Test
    void aMarkBeforeItIsEarly() {
        Findings findings =
                findings(List.of(record(0, "e1", 100), record(1, "e2", 100)), Map.of("e1", 99L, "e2", 101L));

        assertThat(findings.earlyMarks()).containsExactly("event e1 marked 1 ms before it was on the topic");
        assertThat(findings.isClean()).isFalse();
        assertThat(findings.report()).contains("event e1 marked 1 ms before");
    }

    @Test
    void theFirstOfSeveralRecordsCounts() {
        Findings findings = findings(
                List.of(record(0, "e1", 100), record(1, "e1", 300), record(2, "e2", 300)),
                Map.of("e1", 200L, "e2", 300L));

        assertThat(findings.earlyMarks()).isEmpty();
        assertThat(findings.isClean()).isTrue();
        assertThat(findings.history().repeats()).isEqualTo(1);
    }

    @Test
    void aMarkOfWhatIsNotOnTheTopicIsEarlyWhileNoMarkIsNot() {
        Findings findings = findings(List.of(record(0, "e1", 100)), Map.of("e2", 200L));

        assertThat(findings.earlyMarks()).containsExactly("event e2 marked, never on the topic");
        assertThat(findings.history().lost()).hasSize(1);
    }

    @Test
    void aRecordThatIsBlamedForAnOutageIsAFinding() {
        Findings findings = Findings.of(List.of(), List.of(), Map.of(), List.of("event e1: attempts 1"));

        assertThat(findings.isClean()).isFalse();
        assertThat(findings.report()).contains("event e1: attempts 1");
    }

    private static Findings findings(List<ConsumerRecord<byte[], byte[]>> records, Map<String, Long> publishedAt) {
        return Findings.of(COMMITTED, records, publishedAt, List.of());
    }

    private static ConsumerRecord<byte[], byte[]> record(long offset, String eventId, long timestamp) {
        return new ConsumerRecord<>(
                "t",
                0,
                offset,
                timestamp,
                TimestampType.LOG_APPEND_TIME,
                1,
                0,
                "a".getBytes(StandardCharsets.UTF_8),
                new byte[0],
                new RecordHeaders(List.of(new RecordHeader("ce_id", eventId.getBytes(StandardCharsets.UTF_8)))),
                Optional.empty());
    }
}
