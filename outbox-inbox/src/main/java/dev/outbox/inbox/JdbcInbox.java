package dev.outbox.inbox;

import java.util.UUID;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The inbox in PostgreSQL. */
final class JdbcInbox implements Inbox {

    private final PlatformTransactionManager transactionManager;
    private final ProcessedEvents events;
    private final InboxListener listener;

    JdbcInbox(PlatformTransactionManager transactionManager, ProcessedEvents events, InboxListener listener) {
        this.transactionManager = transactionManager;
        this.events = events;
        this.listener = listener;
    }

    @Override
    public <E extends Exception> boolean processOnce(String consumer, UUID eventId, Effect<E> effect) throws E {
        ConsumerName name = new ConsumerName(consumer);
        TransactionStatus transaction = transactionManager.getTransaction(TransactionDefinition.withDefaults());
        boolean applied;
        try {
            applied = events.add(name, eventId);
            if (applied) {
                effect.apply();
            }
        } catch (Throwable failure) {
            rollback(transaction, failure);
            throw failure;
        }
        complete(transaction, name, eventId, applied);
        return applied;
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

    private void complete(TransactionStatus transaction, ConsumerName consumer, UUID eventId, boolean applied) {
        boolean own = transaction.isNewTransaction();
        transactionManager.commit(transaction);
        if (own) {
            tell(consumer, eventId, applied);
            return;
        }
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                tell(consumer, eventId, applied);
            }
        });
    }

    private void tell(ConsumerName consumer, UUID eventId, boolean applied) {
        if (applied) {
            listener.processed(consumer.value(), eventId);
        } else {
            listener.duplicate(consumer.value(), eventId);
        }
    }
}
