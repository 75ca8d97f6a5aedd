package dev.outbox.inbox.kafka;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.ConsumerAwareMessageListener;

/**
 * Passes each record through the inbox to the handler. When it returns, the database has committed.
 *
 * <p>It is no {@code DelegatingMessageListener}: the container would then leave the end of each observation to the
 * listener behind, which a duplicate never reaches.
 */
final class IdempotentRecordListener implements ConsumerAwareMessageListener<byte[], byte[]> {

    private final EventProcessor processor;
    private final PollWatch watch;

    IdempotentRecordListener(EventProcessor processor, PollWatch watch) {
        this.processor = processor;
        this.watch = watch;
    }

    @Override
    public void onMessage(ConsumerRecord<byte[], byte[]> record, @Nullable Consumer<?, ?> consumer) {
        try {
            processor.process(record, consumer);
        } finally {
            watch.processed(1, consumer);
        }
    }
}
