package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.Intake;
import dev.outbox.inbox.Verdict;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The inbox in PostgreSQL. Thread-safe. */
public final class JdbcInbox implements Inbox {

    private final PlatformTransactionManager transactionManager;
    private final ProcessedEvents events;
    private final InboxListener listener;

    /**
     * @param dataSource where the inbox's tables are
     * @param transactionManager the application's, which works on that {@code DataSource}
     * @param phase a listener that was added to the transaction manager
     * @param tables where the tables live
     * @param listeners observers, each isolated from the others
     */
    public JdbcInbox(
            DataSource dataSource,
            PlatformTransactionManager transactionManager,
            TransactionPhase phase,
            TableNames tables,
            Collection<? extends InboxListener> listeners) {
        this.transactionManager = transactionManager;
        this.events = new ProcessedEvents(dataSource, phase, tables);
        this.listener = InboxListener.all(listeners);
    }

    @Override
    public <E extends Exception> Map<UUID, Verdict> process(
            ConsumerName consumer, List<UUID> eventIds, Intake<E> intake) throws E {
        TransactionStatus transaction = transactionManager.getTransaction(TransactionDefinition.withDefaults());
        Map<UUID, Verdict> verdicts = new LinkedHashMap<>();
        try {
            eventIds.forEach(eventId -> verdicts.put(eventId, Verdict.DUPLICATE));
            Set<UUID> fresh = events.add(consumer, verdicts.keySet());
            if (!fresh.isEmpty()) {
                verdicts.putAll(intake.take(fresh));
            }
        } catch (Throwable failure) {
            rollback(transaction, failure);
            throw failure;
        }
        complete(transaction, consumer, verdicts, repeats(eventIds));
        return verdicts;
    }

    @Override
    public void checkTransactionManager() {
        TransactionStatus transaction = transactionManager.getTransaction(TransactionDefinition.withDefaults());
        try {
            events.requireTransaction();
        } finally {
            transactionManager.rollback(transaction);
        }
    }

    private void rollback(TransactionStatus transaction, Throwable failure) {
        try {
            transactionManager.rollback(transaction);
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
    }

    /** An id that stands there for the second time is a duplicate like one that comes in a later call. */
    private static List<UUID> repeats(List<UUID> eventIds) {
        Set<UUID> seen = new HashSet<>();
        return eventIds.stream().filter(eventId -> !seen.add(eventId)).toList();
    }

    private void complete(
            TransactionStatus transaction, ConsumerName consumer, Map<UUID, Verdict> verdicts, List<UUID> repeats) {
        boolean own = transaction.isNewTransaction();
        transactionManager.commit(transaction);
        if (own) {
            tell(consumer, verdicts, repeats);
            return;
        }
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                tell(consumer, verdicts, repeats);
            }
        });
    }

    private void tell(ConsumerName consumer, Map<UUID, Verdict> verdicts, List<UUID> repeats) {
        verdicts.forEach((eventId, verdict) -> {
            switch (verdict) {
                case APPLIED -> listener.processed(consumer.value(), eventId);
                case DUPLICATE -> listener.duplicate(consumer.value(), eventId);
                default -> listener.notApplied(consumer.value(), eventId, verdict);
            }
        });
        repeats.forEach(eventId -> listener.duplicate(consumer.value(), eventId));
    }
}
