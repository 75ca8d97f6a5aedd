package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.RetrySettings;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.listener.ListenerContainerPauseService;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;

class FailedRecordHandlerTest {

    private static final TopicPartition COMMITTED = new TopicPartition("orders.v1", 0);
    private static final TopicPartition NEW = new TopicPartition("orders.v1", 1);

    private final UncertainConsumer consumer = new UncertainConsumer();
    private final EventReader reader = new EventReader("ce_id");
    private final FailedRecordHandler handler = new FailedRecordHandler(
            new ConsumerName("billing"),
            new RecordFailures(
                    new ConsumerName("billing"),
                    new FailedRecords(RetrySettings.defaults(), cause -> FailureKind.UNKNOWN),
                    new NoDeadLetters(),
                    new ListenerContainerPauseService(null, new SimpleAsyncTaskScheduler()),
                    reader,
                    new InboxListener() {}));

    @Test
    void whatWasPolledAndNotPassedOnIsFetchedAgainAsSoonAsTheBrokerTellsFromWhere() {
        consumer.assign(List.of(COMMITTED, NEW));
        consumer.updateBeginningOffsets(Map.of(COMMITTED, 0L, NEW, 2L));
        consumer.commitSync(Map.of(COMMITTED, new OffsetAndMetadata(5)));
        consumer.seek(COMMITTED, 25);
        consumer.seek(NEW, 12);
        consumer.failures = 1;

        handler.handleOtherException(new TimeoutException("commit"), consumer, new RunningContainer(), false);

        assertThat(consumer.position(COMMITTED)).isEqualTo(5);
        assertThat(consumer.position(NEW)).isEqualTo(2);
        assertThat(consumer.failures).isZero();
    }

    private static final class UncertainConsumer extends MockConsumer<byte[], byte[]> {

        private int failures;

        private UncertainConsumer() {
            super("earliest");
        }

        @Override
        public synchronized Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
            if (failures > 0) {
                failures--;
                throw new TimeoutException("no answer");
            }
            return super.committed(partitions);
        }
    }

    private static final class NoDeadLetters implements DeadLetterQueue {

        @Override
        public boolean add(FailedDelivery delivery, FailedRecords.Decision failures, Consumer<?, ?> consumer) {
            throw new IllegalStateException("nothing is dead-lettered here");
        }

        @Override
        public String placeOf(ConsumerRecord<?, ?> record) {
            return "nowhere";
        }

        @Override
        public String remedy() {
            return "none";
        }
    }

    private static final class RunningContainer implements MessageListenerContainer {

        @Override
        public void setupMessageListener(Object messageListener) {}

        @Override
        public Map<String, Map<MetricName, ? extends Metric>> metrics() {
            return Map.of();
        }

        @Override
        public Collection<TopicPartition> getAssignedPartitions() {
            return List.of(COMMITTED, NEW);
        }

        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return true;
        }
    }
}
