package dev.outbox;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Appends events to the outbox inside the caller's transaction: they are published if, and only if, it commits.
 *
 * <p>Thread-safe. Every method serialises and checks all events before the first statement is run, and throws
 *
 * <ul>
 *   <li>{@link InvalidEventException} when an event can't be appended as it is;
 *   <li>{@link dev.outbox.postgresql.TransactionRequiredException} when the calling thread has no writable transaction
 *       on the outbox's own {@code DataSource}, or has already completed it.
 * </ul>
 */
public interface OutboxWriter {

    /**
     * Appends one event.
     *
     * @param event an {@link Event}, or a record annotated with {@link OutboxEvent}
     * @return the event's id, the same on every delivery
     */
    UUID append(Object event);

    /**
     * Appends several events, in the given order, with one statement.
     *
     * @param events each an {@link Event} or a record annotated with {@link OutboxEvent}
     * @return their ids in the same order
     */
    List<UUID> appendAll(Collection<?> events);

    /**
     * A writer that is independent of any container.
     *
     * @param store where the records go
     * @param serializers asked in this order for payloads that are not bytes
     * @param contributors add headers to every event
     * @param pendingChanges written before the rows
     * @param limits what an event may measure
     * @param listener told after the commit
     */
    static OutboxWriter create(
            EventStore store,
            List<PayloadSerializer> serializers,
            List<HeaderContributor> contributors,
            List<PendingChanges> pendingChanges,
            AppendLimits limits,
            OutboxListener listener) {
        return new TransactionalOutboxWriter(store, serializers, contributors, pendingChanges, limits, listener);
    }
}
