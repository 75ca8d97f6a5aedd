package dev.outbox.inbox;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several listeners, none of which can disturb the others or the caller. */
final class InboxListeners implements InboxListener {

    private static final Logger LOG = LoggerFactory.getLogger(InboxListeners.class);

    private final List<InboxListener> listeners;

    InboxListeners(Collection<? extends InboxListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public void processed(String consumer, UUID eventId) {
        each(listener -> listener.processed(consumer, eventId));
    }

    @Override
    public void duplicate(String consumer, UUID eventId) {
        each(listener -> listener.duplicate(consumer, eventId));
    }

    @Override
    public void notApplied(String consumer, UUID eventId, Verdict verdict) {
        each(listener -> listener.notApplied(consumer, eventId, verdict));
    }

    @Override
    public void failed(String consumer, @Nullable UUID eventId, RecordPosition position, Throwable cause) {
        each(listener -> listener.failed(consumer, eventId, position, cause));
    }

    @Override
    public void deadLettered(String consumer, @Nullable UUID eventId, RecordPosition position, Throwable cause) {
        each(listener -> listener.deadLettered(consumer, eventId, position, cause));
    }

    @Override
    public void earlyEvents(String consumer, @Nullable EarlyBacklog waiting) {
        each(listener -> listener.earlyEvents(consumer, waiting));
    }

    @Override
    public void outsideWindow(String consumer, UUID eventId, RecordPosition position, Duration age) {
        each(listener -> listener.outsideWindow(consumer, eventId, position, age));
    }

    @Override
    public void stopped(String consumer, RecordPosition position, StopConsumerException cause) {
        each(listener -> listener.stopped(consumer, position, cause));
    }

    @Override
    public void assigned(String consumer, TopicPartition partition, DoubleSupplier lag) {
        each(listener -> listener.assigned(consumer, partition, lag));
    }

    @Override
    public void revoked(String consumer, TopicPartition partition) {
        each(listener -> listener.revoked(consumer, partition));
    }

    private void each(Consumer<InboxListener> call) {
        for (InboxListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (RuntimeException | Error e) {
                LOG.warn("{} threw; the inbox goes on", listener.getClass().getName(), e);
            }
        }
    }
}
