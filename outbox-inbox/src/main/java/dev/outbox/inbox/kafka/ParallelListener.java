package dev.outbox.inbox.kafka;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchConsumerAwareMessageListener;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.KafkaUtils;

/**
 * Passes the keys of a poll through the inbox at once, each record in a transaction of its own. When it returns, all of
 * them have committed; a poll that has not come so far is resolved by {@link #resolve}.
 */
final class ParallelListener implements BatchConsumerAwareMessageListener<byte[], byte[]>, FailedPoll {

    private final EventProcessor processor;
    private final RecordFailures failures;
    private final KeyedWorkers workers;
    private final BooleanSupplier running;
    private final PollWatch watch;

    /**
     * @param running whether the container has not been stopped
     */
    ParallelListener(
            EventProcessor processor,
            RecordFailures failures,
            KeyedWorkers workers,
            BooleanSupplier running,
            PollWatch watch) {
        this.processor = processor;
        this.failures = failures;
        this.workers = workers;
        this.running = running;
        this.watch = watch;
    }

    @Override
    public void onMessage(List<ConsumerRecord<byte[], byte[]>> records, @Nullable Consumer<?, ?> consumer) {
        // As many failures as there are workers are the database's, and not those of a key whose row is locked.
        ParallelPoll poll = new ParallelPoll(processor, failures, running, workers.number());
        String group = KafkaUtils.getConsumerGroupId();
        workers.work(
                records,
                key -> {
                    KafkaUtils.setConsumerGroupId(group);
                    try {
                        poll.process(key);
                    } finally {
                        KafkaUtils.clearConsumerGroupId();
                    }
                },
                poll::end);
        watch.processed(records.size(), consumer);
        poll.requireDone(records);
        // All of these partitions are past all that is known of them.
        records.forEach(record -> failures.known().remove(record));
    }

    @Override
    public PollProgress resolve(
            Exception cause, ConsumerRecords<?, ?> poll, Consumer<?, ?> consumer, MessageListenerContainer container) {
        if (cause instanceof UnfinishedPollException unfinished) {
            return unfinished.poll().settle(poll, consumer, container, watch);
        }
        return PollProgress.none(poll);
    }
}
