package dev.outbox.inbox.kafka;

import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchConsumerAwareMessageListener;

/** Passes a poll through the inbox in one transaction. When it returns, the database has committed. */
final class BatchListener implements BatchConsumerAwareMessageListener<byte[], byte[]> {

    private final EventProcessor processor;
    private final FailedRecords failed;
    private final PollWatch watch;

    BatchListener(EventProcessor processor, FailedRecords failed, PollWatch watch) {
        this.processor = processor;
        this.failed = failed;
        this.watch = watch;
    }

    @Override
    public void onMessage(List<ConsumerRecord<byte[], byte[]>> records, @Nullable Consumer<?, ?> consumer) {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (failed.contains(record)) {
                throw new SuspectPollException(record);
            }
        }
        try {
            processor.processAll(records, consumer);
        } finally {
            watch.processed(records.size(), consumer);
        }
    }
}
