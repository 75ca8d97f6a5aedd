package dev.outbox;

import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several listeners as one; a listener that throws stops neither the others nor the caller. */
public final class OutboxListeners implements OutboxListener {

    private static final Logger log = LoggerFactory.getLogger(OutboxListeners.class);

    private final List<OutboxListener> listeners;

    public OutboxListeners(List<OutboxListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public void appended(int events) {
        each(listener -> listener.appended(events));
    }

    @Override
    public void published(Delivery delivery) {
        each(listener -> listener.published(delivery));
    }

    @Override
    public void retried(Delivery delivery, PublishFailure failure) {
        each(listener -> listener.retried(delivery, failure));
    }

    @Override
    public void parked(Delivery delivery, PublishFailure failure) {
        each(listener -> listener.parked(delivery, failure));
    }

    @Override
    public void purged(int records) {
        each(listener -> listener.purged(records));
    }

    @Override
    public void cycleFailed(Throwable failure) {
        each(listener -> listener.cycleFailed(failure));
    }

    private void each(Consumer<OutboxListener> call) {
        for (OutboxListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (RuntimeException | Error e) {
                log.warn("{} failed and is ignored", listener.getClass().getName(), e);
            }
        }
    }
}
