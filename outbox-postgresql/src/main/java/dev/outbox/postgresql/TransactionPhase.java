package dev.outbox.postgresql;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Knows whether a transaction of the calling thread has already been sent to the database to commit or roll back.
 *
 * <p>Spring reports an active transaction to after-commit callbacks too, while nothing written there belongs to that
 * transaction any more. Only a listener of the transaction manager can tell the two apart. A manager
 * that this listener was not added to is taken for one whose transactions are open.
 */
public final class TransactionPhase implements TransactionExecutionListener {

    private final ThreadLocal<Deque<Begun>> begun = ThreadLocal.withInitial(ArrayDeque::new);

    /**
     * Whether the transaction that bound this resource to the thread is past its last point of writing. A callback after
     * its commit may have begun a transaction of another resource meanwhile, so the innermost one doesn't tell.
     */
    boolean completing(Object resource) {
        Iterator<Begun> outermostFirst = begun.get().descendingIterator();
        while (outermostFirst.hasNext()) {
            Begun transaction = outermostFirst.next();
            if (transaction.bound.contains(resource)) {
                return transaction.completing;
            }
        }
        return false;
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
        if (beginFailure == null && transaction.isNewTransaction()) {
            begun.get().push(new Begun(transaction));
        }
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        markCompleting(transaction);
    }

    @Override
    public void beforeRollback(TransactionExecution transaction) {
        markCompleting(transaction);
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable commitFailure) {
        forget(transaction);
    }

    @Override
    public void afterRollback(TransactionExecution transaction, @Nullable Throwable rollbackFailure) {
        forget(transaction);
    }

    private void markCompleting(TransactionExecution transaction) {
        Begun innermost = begun.get().peek();
        if (innermost != null && innermost.transaction == transaction) {
            innermost.completing = true;
        }
    }

    private void forget(TransactionExecution transaction) {
        Deque<Begun> stack = begun.get();
        stack.removeIf(entry -> entry.transaction == transaction);
        if (stack.isEmpty()) {
            begun.remove();
        }
    }

    private static final class Begun {

        private final TransactionExecution transaction;
        private final Set<Object> bound = Collections.newSetFromMap(new IdentityHashMap<>());
        private boolean completing;

        private Begun(TransactionExecution transaction) {
            this.transaction = transaction;
            bound.addAll(TransactionSynchronizationManager.getResourceMap().values());
        }
    }
}
