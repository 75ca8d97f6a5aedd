package dev.outbox;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

final class TransactionalOutboxWriter implements OutboxWriter {

    private final EventStore store;
    private final List<PayloadSerializer> serializers;
    private final List<HeaderContributor> contributors;
    private final List<PendingChanges> pendingChanges;
    private final AppendLimits limits;
    private final OutboxListener listener;

    private final AnnotatedEvents annotatedEvents = new AnnotatedEvents();
    private final NoArgGenerator ids = Generators.timeBasedEpochGenerator();

    TransactionalOutboxWriter(
            EventStore store,
            List<PayloadSerializer> serializers,
            List<HeaderContributor> contributors,
            List<PendingChanges> pendingChanges,
            AppendLimits limits,
            OutboxListener listener) {
        this.store = store;
        this.serializers = List.copyOf(serializers);
        this.contributors = List.copyOf(contributors);
        this.pendingChanges = List.copyOf(pendingChanges);
        this.limits = limits;
        this.listener = listener;
    }

    @Override
    public UUID append(Object event) {
        return appendAll(List.of(event)).get(0);
    }

    @Override
    public List<UUID> appendAll(Collection<?> events) {
        List<OutboxRecord> records = new ArrayList<>(events.size());
        Set<UUID> seen = new HashSet<>();
        for (Object event : events) {
            OutboxRecord record = record(event instanceof Event built ? built : annotatedEvents.read(event));
            limits.check(record);
            if (!seen.add(record.eventId())) {
                throw new InvalidEventException("id: " + record.eventId() + " stands twice in one call");
            }
            records.add(record);
        }
        if (!records.isEmpty()) {
            pendingChanges.forEach(PendingChanges::flush);
            store.append(records);
            tellAfterCommit(records.size());
        }
        return records.stream().map(OutboxRecord::eventId).toList();
    }

    private OutboxRecord record(Event event) {
        UUID id = event.id() == null ? ids.generate() : event.id();
        return new OutboxRecord(
                id, event.topic(), event.type(), event.aggregate(), serialize(event.payload()), headers(event));
    }

    private Payload serialize(Object payload) {
        if (payload instanceof Payload bytes) {
            return bytes;
        }
        for (PayloadSerializer serializer : serializers) {
            if (serializer.supports(payload.getClass())) {
                return serializer.serialize(payload);
            }
        }
        throw new InvalidEventException("payload: no PayloadSerializer supports "
                + payload.getClass().getName() + "; give bytes with a content type, or register a serializer");
    }

    private Map<String, String> headers(Event event) {
        Map<String, String> headers = new HashMap<>();
        contributors.forEach(contributor -> headers.putAll(contributor.headers()));
        headers.putAll(event.headers());
        return headers;
    }

    private void tellAfterCommit(int events) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                listener.appended(events);
            }
        });
    }
}
