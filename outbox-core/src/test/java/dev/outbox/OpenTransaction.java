package dev.outbox;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** A transaction on a thread of its own, driven step by step. */
public final class OpenTransaction implements AutoCloseable {

    private static final int LIMIT_SECONDS = 60;

    private final TestOutbox outbox;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final TransactionStatus status;

    private OpenTransaction(TestOutbox outbox) throws Exception {
        this.outbox = outbox;
        this.status = result(start(() -> outbox.transactions.getTransaction(new DefaultTransactionDefinition())));
    }

    public static OpenTransaction begin(TestOutbox outbox) throws Exception {
        return new OpenTransaction(outbox);
    }

    /** Starts a step that may have to wait for another transaction. */
    public <T> CompletableFuture<T> start(Callable<T> step) {
        CompletableFuture<T> result = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                result.complete(step.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** Makes a step that has nothing to wait for. */
    public <T> T run(Callable<T> step) throws Exception {
        return result(start(step));
    }

    public void commit() throws Exception {
        run(() -> {
            outbox.transactions.commit(status);
            return true;
        });
    }

    TransactionStatus status() {
        return status;
    }

    static <T> T result(CompletableFuture<T> step) throws Exception {
        return step.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws Exception {
        run(() -> {
            if (!status.isCompleted()) {
                outbox.transactions.rollback(status);
            }
            return true;
        });
        thread.shutdown();
    }
}
