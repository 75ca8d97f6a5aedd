package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.LocalConsumers;
import dev.outbox.inbox.OutsideWindow;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** Puts together what stands between the records of a listener and its method. */
final class ListenerAssembly {

    private final RegisteredConsumers consumers;
    private final ListenerAdmissions admissions;
    private final LocalConsumers localConsumers;
    private final FailureHandling failures;
    private final ClassifierChain classifier;
    private final ThreadFactory workerThreads;

    ListenerAssembly(
            IdempotentListenerContainerFactory.Builder builder, FailureHandling failures, ClassifierChain classifier) {
        this.consumers = new RegisteredConsumers(
                builder.inbox, builder.registry, builder.settings.purge().retention());
        this.admissions = new ListenerAdmissions(
                builder.deadLetters, builder.settings, builder.databaseClock, builder.listener, builder.admissions);
        this.localConsumers = builder.localConsumers;
        this.failures = failures;
        this.classifier = classifier;
        this.workerThreads = builder.workerThreads;
    }

    /** Gives the listener's container all that it needs, and returns the consumer's name. */
    ConsumerName assemble(ListenerMode mode, ListenerReading reading, @Nullable IdempotentListener annotation) {
        ConsumerName consumer = mode.consumer();
        EventProcessor processor = new EventProcessor(
                consumer,
                consumers.inboxOf(consumer, mode.group()),
                reading.reader(),
                admissions.of(consumer, annotation),
                mode.handler(reading));
        localConsumers.add(new ListenerConsumer(
                consumer, ListenerAdmissions.parksAggregates(annotation), reading.reader(), processor, classifier));
        mode.apply(processor, failures.failuresOf(consumer, mode.group(), reading.reader()), workerThreads);
        return consumer;
    }

    /** Returns what the listener does with an event that the inbox may have forgotten. */
    OutsideWindow outsideWindow(ConsumerName consumer, @Nullable IdempotentListener annotation) {
        return admissions.outsideWindow(consumer, annotation);
    }
}
