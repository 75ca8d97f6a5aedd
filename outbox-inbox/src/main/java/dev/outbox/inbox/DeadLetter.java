package dev.outbox.inbox;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event that waits for a decision: what an operator needs to make it, and never the payload.
 *
 * @param id by which decisions name it; grows with time
 * @param consumer which consumer could not process it
 * @param state whether it failed itself or waits behind one that did
 * @param event which event it is
 * @param failure what is known of its failures
 */
public record DeadLetter(long id, ConsumerName consumer, State state, Event event, Failure failure) {

    /** What it waits for. */
    public enum State {

        /** It cannot be processed: a redrive or a discard decides about it. */
        DEAD,

        /** It waits until the earlier dead letters of its aggregate are decided, and is processed then. */
        WAITING
    }

    /**
     * Which event it is. Texts are cut to 1,024 bytes, and what PostgreSQL can't store or a screen can't show is replaced.
     *
     * @param eventId null if the record has no usable one
     * @param type null if the envelope says none, as the other texts
     * @param position where the record stood in Kafka
     */
    public record Event(
            @Nullable UUID eventId,
            @Nullable String type,
            @Nullable String aggregateType,
            @Nullable String aggregateId,
            RecordPosition position) {}

    /**
     * What is known of its failures.
     *
     * @param attempts how often it has failed, failed redrives included
     * @param causeType class of the last exception; null while it waits, or if it did until now
     * @param cause the last exception in words, cut to 1,024 bytes; null while it waits
     * @param first when it failed first, or began to wait, by the database's clock
     * @param last when it failed last
     */
    public record Failure(
            int attempts,
            @Nullable String causeType,
            @Nullable String cause,
            Instant first,
            Instant last) {}
}
