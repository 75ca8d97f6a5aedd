package dev.outbox.inbox;

import dev.outbox.postgresql.TransactionRequiredException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Applies the effect of an event once per consumer, for those who own their loop. {@link IdempotentListener} does it for
 * Kafka.
 *
 * <p>Thread-safe.
 */
public interface Inbox {

    /**
     * Applies an effect unless this consumer has processed the event already. The event is recorded and the effect is
     * applied in one transaction: the caller's, if it has one on the inbox's {@code DataSource}, else one that is opened
     * and committed here. So outside of a transaction the effect is durable when this method returns, and inside it
     * becomes so with the caller's commit.
     *
     * <p>If another thread or instance is processing the same event, the call waits for the end of that transaction.
     *
     * @param consumer see {@link ConsumerName} for its form
     * @param eventId identity of the event, the same on every repeat
     * @return true if the effect was applied, false if the event is a duplicate
     * @throws E what the effect threw; the transaction is rolled back, or marked for it if it is the caller's
     * @throws TransactionRequiredException if the transaction manager does not work on the inbox's {@code DataSource},
     *     or the caller's transaction is read-only or already completing
     * @throws InboxUnavailableException if the event could not be recorded; the effect was not applied
     * @throws org.springframework.transaction.TransactionException if no transaction could be opened, or it could not be
     *     committed; the effect may then be applied by a further call
     */
    default <E extends Exception> boolean processOnce(String consumer, UUID eventId, Effect<E> effect) throws E {
        Map<UUID, Verdict> verdicts = this.<E>process(new ConsumerName(consumer), List.of(eventId), events -> {
            effect.apply();
            return Map.of(eventId, Verdict.APPLIED);
        });
        return verdicts.get(eventId) == Verdict.APPLIED;
    }

    /**
     * Like {@link #processOnce}, for any number of events in one transaction. The intake receives those that this consumer
     * has not processed yet, and is not called if there are none.
     *
     * @param eventIds at least one; an id that stands there twice counts once, and as a duplicate for observers
     * @return what became of each event
     */
    <E extends Exception> Map<UUID, Verdict> process(ConsumerName consumer, List<UUID> eventIds, Intake<E> intake)
            throws E;

    /**
     * Opens an empty transaction and checks that it is one on the inbox's {@code DataSource}.
     *
     * @throws TransactionRequiredException if it is not; the message says what to do
     * @throws org.springframework.transaction.TransactionException if the database cannot be reached
     */
    void checkTransactionManager();
}
