package dev.outbox.jpa;

import dev.outbox.PendingChanges;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Flushes the persistence context before an append. So the row of the aggregate is locked, and its version checked, before
 * the event is written: two transactions on one aggregate meet at the row that they both change.
 */
public final class PersistenceContextFlush implements PendingChanges {

    private final EntityManagerFactory entityManagerFactory;

    public PersistenceContextFlush(EntityManagerFactory entityManagerFactory) {
        this.entityManagerFactory = entityManagerFactory;
    }

    @Override
    public void flush() {
        if (TransactionSynchronizationManager.getResource(entityManagerFactory) instanceof EntityManagerHolder holder) {
            EntityManager entityManager = holder.getEntityManager();
            if (entityManager.isJoinedToTransaction()) {
                entityManager.flush();
            }
        }
    }
}
