package dev.outbox.inbox.kafka;

import dev.outbox.inbox.Admission;
import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.ReceivedEvent;
import dev.outbox.inbox.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    private final AcknowledgingConsumerAwareMessageListener<byte[], byte[]> handler;

    EventProcessor(
            ConsumerName name,
            Inbox inbox,
            EventReader reader,
            List<? extends Admission> admissions,
            AcknowledgingConsumerAwareMessageListener<byte[], byte[]> handler) {
        this.name = name;
        this.inbox = inbox;
        this.reader = reader;
        this.admissions = List.copyOf(admissions);
        this.handler = handler;
    }

    /** Processes a record in a transaction of its own, which has committed when this returns. */
    Verdict process(ConsumerRecord<byte[], byte[]> record, @Nullable Consumer<?, ?> consumer) {
        ReceivedEvent event = reader.read(record);
        UUID eventId = event.metadata().eventId();
        Verdict verdict = Objects.requireNonNull(inbox.process(
                        name, List.of(eventId), fresh -> Map.of(eventId, apply(event, admissions, consumer)))
                .get(eventId));
        committed(event, verdict);
        return verdict;
    }

    /** Applies an event that waited among the dead letters, in the transaction of the calling thread. */
    Verdict redrive(ReceivedEvent event) {
        return apply(
                event, admissions.stream().filter(Admission::decidesOnRedrive).toList(), null);
    }

    /** Must be called after the transaction has committed in which an event was applied. */
    void committed(ReceivedEvent event, Verdict verdict) {
        admissions.forEach(admission -> admission.committed(name, event, verdict));
    }

    /** Must be called in the transaction in which an event that waited among the dead letters is discarded. */
    void discarded(ReceivedEvent event) {
        admissions.forEach(admission -> admission.discarded(name, event));
    }

    private Verdict apply(ReceivedEvent event, List<Admission> deciding, @Nullable Consumer<?, ?> consumer) {
        for (Admission admission : deciding) {
            Verdict verdict = admission.admit(name, event);
            if (verdict != Verdict.APPLIED) {
                return verdict;
            }
        }
        try {
            handler.onMessage(event.record(), null, consumer);
        } catch (Error e) {
            throw new HandlerErrorException(e);
        }
        return Verdict.APPLIED;
    }
}
