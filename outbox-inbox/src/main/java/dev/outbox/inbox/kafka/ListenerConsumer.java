package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.LocalConsumer;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.Verdict;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The consumer behind an idempotent listener, for those who bring it an event on another way than its topic. */
record ListenerConsumer(
        ConsumerName name,
        boolean parksAggregates,
        EventReader reader,
        EventProcessor processor,
        FailureClassifier classifier)
        implements LocalConsumer {

    @Override
    public ReceivedEvent read(ConsumerRecord<byte[], byte[]> record) {
        return reader.read(record);
    }

    @Override
    public Verdict apply(ReceivedEvent event) throws Exception {
        try {
            return processor.redrive(event);
        } catch (RuntimeException e) {
            throw FailureCause.of(e);
        }
    }

    @Override
    public void committed(ReceivedEvent event, Verdict verdict) {
        processor.committed(event, verdict);
    }

    @Override
    public void discarded(ReceivedEvent event) {
        processor.discarded(event);
    }

    @Override
    public boolean isTransient(Throwable failure) {
        return classifier.classify(failure) == FailureKind.TRANSIENT;
    }

    @Override
    public boolean isPermanent(Throwable failure) {
        return classifier.classify(failure) == FailureKind.PERMANENT;
    }
}
