package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class PollProgressTest {

    private static final TopicPartition P0 = new TopicPartition("orders.v1", 0);
    private static final TopicPartition P1 = new TopicPartition("orders.v1", 1);

    private final ConsumerRecords<byte[], byte[]> poll = new ConsumerRecords<>(
            Map.of(
                    P0, List.of(TestRecords.record(0, 5), TestRecords.record(0, 6), TestRecords.record(0, 9)),
                    P1, List.of(TestRecords.record(1, 2))),
            Map.of());
    private final PollProgress progress = new PollProgress(poll);
    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name());

    @Test
    void eachPartitionStopsAtItsFirstUnfinishedRecord() {
        consumer.assign(List.of(P0, P1));
        consumer.seek(P0, 10);
        consumer.seek(P1, 3);
        progress.stopAt(TestRecords.record(0, 9));
        progress.stopAt(TestRecords.record(0, 6));

        progress.seekBack(consumer);
        progress.commit(consumer, Duration.ofSeconds(1));

        assertThat(progress.isComplete()).isFalse();
        assertThat(consumer.position(P0)).isEqualTo(6);
        assertThat(consumer.position(P1)).isEqualTo(3);
        assertThat(consumer.committed(Set.of(P0, P1)))
                .isEqualTo(Map.of(P0, new OffsetAndMetadata(6), P1, new OffsetAndMetadata(3)));
    }

    @Test
    void whatHasNotMovedIsNotCommitted() {
        consumer.assign(List.of(P0, P1));

        PollProgress.none(poll).commit(consumer, null);

        assertThat(consumer.committed(Set.of(P0, P1))).isEmpty();
    }

    @Test
    void aPartitionThatWasTakenAwayIsLeftToItsNewConsumer() {
        consumer.assign(List.of(P1));
        progress.stopAt(TestRecords.record(0, 6));
        progress.stopAt(TestRecords.record(1, 2));

        progress.seekBack(consumer);

        assertThat(consumer.position(P1)).isEqualTo(2);
    }

    @Test
    void aCommitThatFailsOnlyMeansThatRecordsArriveAgain() {
        for (RuntimeException failure :
                List.of(new CommitFailedException(), new RebalanceInProgressException(), new TimeoutException())) {
            progress.commit(new FailingConsumer(failure), null);
        }

        assertThat(progress.isComplete()).isTrue();
    }

    private static final class FailingConsumer extends MockConsumer<byte[], byte[]> {

        private final RuntimeException failure;

        private FailingConsumer(RuntimeException failure) {
            super(AutoOffsetResetStrategy.EARLIEST.name());
            this.failure = failure;
        }

        @Override
        public synchronized void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
            throw failure;
        }
    }
}
