package dev.outbox.relay;

import dev.outbox.DeliveryStore;
import dev.outbox.Outcome;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes outcomes down on a thread of its own, one batch after the other, while its worker reads and sends. */
final class Marker implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    private final ExecutorService thread;
    private final OutcomeReport report;

    Marker(ThreadFactory threads, OutcomeReport report) {
        this.thread = Executors.newSingleThreadExecutor(threads);
        this.report = report;
    }

    /**
     * Writes a batch down.
     *
     * @param done told on the marker's thread, with the failure if there was one
     */
    void record(
            DeliveryStore.Claim claim, List<Outcome> outcomes, BiConsumer<List<Outcome>, @Nullable Throwable> done) {
        thread.execute(() -> done.accept(outcomes, write(claim, outcomes)));
    }

    private @Nullable Throwable write(DeliveryStore.Claim claim, List<Outcome> outcomes) {
        try {
            writeTwice(claim, outcomes);
        } catch (RuntimeException | Error e) {
            return e;
        }
        tell(outcomes);
        return null;
    }

    /** Whatever a listener does, the worker must hear that its batch is written down, or it would wait for ever. */
    private void tell(List<Outcome> outcomes) {
        try {
            report.tell(outcomes);
        } catch (RuntimeException | Error e) {
            log.warn("A listener failed and is ignored", e);
        }
    }

    /** A lost connection costs a second try, on another one, and not the repetition of what was acknowledged. */
    private static void writeTwice(DeliveryStore.Claim claim, List<Outcome> outcomes) {
        try {
            claim.record(outcomes);
        } catch (RuntimeException e) {
            log.debug("Marking {} records failed and is tried once more", outcomes.size(), e);
            claim.record(outcomes);
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
