package dev.outbox.inbox;

import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import dev.outbox.postgresql.TransactionRequiredException;
import java.util.Collection;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.transaction.PlatformTransactionManager;

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
    <E extends Exception> boolean processOnce(String consumer, UUID eventId, Effect<E> effect) throws E;

    /**
     * Opens an empty transaction and checks that it is one on the inbox's {@code DataSource}.
     *
     * @throws TransactionRequiredException if it is not; the message says what to do
     * @throws org.springframework.transaction.TransactionException if the database cannot be reached
     */
    void checkTransactionManager();

    /**
     * Creates an inbox.
     *
     * @param dataSource where the inbox's tables are
     * @param transactionManager the application's, which works on that {@code DataSource}
     * @param phase a listener that was added to the transaction manager
     * @param tables where the tables live
     * @param listeners observers, each isolated from the others
     */
    static Inbox create(
            DataSource dataSource,
            PlatformTransactionManager transactionManager,
            TransactionPhase phase,
            TableNames tables,
            Collection<? extends InboxListener> listeners) {
        return new JdbcInbox(
                transactionManager, new ProcessedEvents(dataSource, phase, tables), InboxListener.all(listeners));
    }
}
