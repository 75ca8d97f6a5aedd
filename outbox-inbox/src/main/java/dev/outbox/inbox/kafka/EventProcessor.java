package dev.outbox.inbox.kafka;

import dev.outbox.inbox.Admission;
import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;

/** The way of one consumer's events from the record to the effect. Thread-safe, as far as the handler is. */
final class EventProcessor {

    private final ConsumerName name;
    private final Inbox inbox;
    private final EventReader reader;
    private final List<Admission> admissions;
    private final EventHandler handler;

    EventProcessor(
            ConsumerName name,
            Inbox inbox,
            EventReader reader,
            List<? extends Admission> admissions,
            AcknowledgingConsumerAwareMessageListener<byte[], byte[]> handler) {
        this(name, inbox, reader, admissions, EventHandler.each(handler));
    }

    EventProcessor(
            ConsumerName name,
            Inbox inbox,
            EventReader reader,
            List<? extends Admission> admissions,
            EventHandler handler) {
        this.name = name;
        this.inbox = inbox;
        this.reader = reader;
        this.admissions = List.copyOf(admissions);
        this.handler = handler;
    }

    /** Processes a record in a transaction of its own, which has committed when this returns. */
    Verdict process(ConsumerRecord<byte[], byte[]> record, @Nullable Consumer<?, ?> consumer) {
        return intake(List.of(reader.read(record)), consumer)
                .values()
                .iterator()
                .next();
    }

    /** Processes records in order in one transaction, which has committed when this returns. */
    void processAll(Iterable<ConsumerRecord<byte[], byte[]>> records, @Nullable Consumer<?, ?> consumer) {
        List<ReceivedEvent> events = new ArrayList<>();
        records.forEach(record -> events.add(reader.read(record)));
        intake(events, consumer);
    }

    private Map<UUID, Verdict> intake(List<ReceivedEvent> received, @Nullable Consumer<?, ?> consumer) {
        Map<UUID, ReceivedEvent> events = new LinkedHashMap<>();
        received.forEach(event -> events.putIfAbsent(event.metadata().eventId(), event));
        List<UUID> ids =
                received.stream().map(event -> event.metadata().eventId()).toList();
        Map<UUID, Verdict> verdicts = inbox.process(name, ids, fresh -> takeIn(fresh, events, consumer));
        events.forEach((eventId, event) -> {
            Verdict verdict = Objects.requireNonNull(verdicts.get(eventId));
            committed(event, verdict);
        });
        return verdicts;
    }

    /** Applies an event that waited in the database, in the transaction of the calling thread. */
    Verdict redrive(ReceivedEvent event) {
        Verdict verdict = admit(
                event, admissions.stream().filter(Admission::decidesOnRedrive).toList());
        if (verdict == Verdict.APPLIED) {
            apply(List.of(event), null);
        }
        return verdict;
    }

    /** Must be called after the transaction has committed in which an event was taken in. */
    void committed(ReceivedEvent event, Verdict verdict) {
        admissions.forEach(admission -> admission.committed(name, event, verdict));
    }

    /** Must be called in the transaction in which an event that waited among the dead letters is discarded. */
    void discarded(ReceivedEvent event) {
        admissions.forEach(admission -> admission.discarded(name, event));
    }

    private Map<UUID, Verdict> takeIn(
            Set<UUID> fresh, Map<UUID, ReceivedEvent> events, @Nullable Consumer<?, ?> consumer) {
        Map<UUID, Verdict> verdicts = new LinkedHashMap<>();
        List<ReceivedEvent> admitted = new ArrayList<>();
        for (UUID eventId : fresh) {
            ReceivedEvent event = Objects.requireNonNull(events.get(eventId));
            Verdict verdict = admit(event, admissions);
            verdicts.put(eventId, verdict);
            if (verdict == Verdict.APPLIED) {
                admitted.add(event);
            }
        }
        if (!admitted.isEmpty()) {
            apply(admitted, consumer);
        }
        return verdicts;
    }

    private Verdict admit(ReceivedEvent event, List<Admission> deciding) {
        for (Admission admission : deciding) {
            Verdict verdict = admission.admit(name, event);
            if (verdict != Verdict.APPLIED) {
                return verdict;
            }
        }
        return Verdict.APPLIED;
    }

    private void apply(List<ReceivedEvent> events, @Nullable Consumer<?, ?> consumer) {
        try {
            handler.handle(events, consumer);
        } catch (Error e) {
            throw new HandlerErrorException(e);
        }
    }
}
