package dev.outbox.inbox;

/** Decides whether an event that is new to a consumer is applied now. Implementations are thread-safe. */
public interface Admission {

    /**
     * Decides, in the transaction that has recorded the event and will apply it. Whatever is written for an event that
     * is not admitted commits with that record.
     *
     * @return {@link Verdict#APPLIED} if the event is to be applied, else what has become of it
     * @throws RuntimeException if the event must not be processed now; it is then handled like one whose handler failed
     */
    Verdict admit(ConsumerName consumer, ReceivedEvent event);

    /**
     * Whether it also decides on an event that is redriven from the dead letters, or processed after it waited there. Such
     * an event is known not to have been processed, and what came before it has been decided.
     */
    default boolean decidesOnRedrive() {
        return true;
    }

    /** Called in the transaction in which somebody discards the event among the dead letters: it will never be applied. */
    default void discarded(ConsumerName consumer, ReceivedEvent event) {}

    /** Called on the consuming thread after that transaction has committed. */
    default void committed(ConsumerName consumer, ReceivedEvent event, Verdict verdict) {}
}
