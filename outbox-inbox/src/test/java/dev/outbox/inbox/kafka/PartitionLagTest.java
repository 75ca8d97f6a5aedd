package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class PartitionLagTest {

    private OptionalDouble behind = OptionalDouble.empty();
    private final PartitionLag lag = new PartitionLag(() -> Instant.ofEpochSecond(1_000), () -> behind);

    @Test
    void nothingIsKnownBeforeTheFirstFetch() {
        assertThat(lag.seconds()).isNaN();
        behind = OptionalDouble.of(0);
        assertThat(lag.seconds()).isZero();
    }

    @Test
    void theOldestRecordThatIsNotCommittedCounts() {
        behind = OptionalDouble.of(0);
        lag.delivered(records(900, 910, 920));

        assertThat(lag.seconds()).isEqualTo(100);
        lag.committed(911);
        assertThat(lag.seconds()).isEqualTo(80);
        lag.committed(921);
        assertThat(lag.seconds()).isZero();
    }

    @Test
    void aRecordThatIsDeliveredAgainCountsOnce() {
        behind = OptionalDouble.of(0);
        lag.delivered(records(900, 910));
        lag.delivered(records(900, 910));
        lag.delivered(records(910));

        lag.committed(901);
        assertThat(lag.seconds()).isEqualTo(90);
        lag.committed(911);
        assertThat(lag.seconds()).isZero();
    }

    @Test
    void whileTheBrokerHasMoreTheLastCommittedRecordTells() {
        behind = OptionalDouble.of(5);
        assertThat(lag.seconds()).isNaN();

        lag.delivered(records(900));
        lag.committed(901);

        assertThat(lag.seconds()).isEqualTo(100);
    }

    @Test
    void aRecordFromTheFutureIsNotYoungerThanNow() {
        lag.delivered(records(2_000));

        assertThat(lag.seconds()).isZero();
    }

    /** Each has the same number as offset and, in seconds, as timestamp. */
    private static List<ConsumerRecord<byte[], byte[]>> records(long... seconds) {
        return LongStream.of(seconds)
                .mapToObj(second -> new ConsumerRecord<>(
                        "orders.v1",
                        0,
                        second,
                        second * 1_000,
                        TimestampType.CREATE_TIME,
                        0,
                        0,
                        new byte[0],
                        new byte[0],
                        new RecordHeaders(),
                        Optional.<Integer>empty()))
                .toList();
    }
}
