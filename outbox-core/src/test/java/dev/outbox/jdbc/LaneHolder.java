package dev.outbox.jdbc;

import static org.awaitility.Awaitility.await;

import dev.outbox.BatchLimits;
import dev.outbox.Delivery;
import dev.outbox.DeliveryStore;
import dev.outbox.Outcome;
import dev.outbox.PublishFailure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One relay, driven by hand on a thread of its own, because a claim belongs to its thread. */
final class LaneHolder implements AutoCloseable {

    private static final int LIMIT_SECONDS = 20;

    private final DeliveryStore store;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private DeliveryStore.@Nullable Claim claim;

    LaneHolder(DeliveryStore store) {
        this.store = store;
    }

    /** Claims lanes, and tells whether there were any; without any it holds nothing. */
    boolean claim(int lanes) throws Exception {
        return claim(() -> store.claim(lanes));
    }

    boolean claimSet(int lanes) throws Exception {
        return claim(() -> store.claimSet(lanes));
    }

    private boolean claim(Callable<DeliveryStore.Claim> step) throws Exception {
        return run(() -> {
            DeliveryStore.Claim claimed = step.call();
            if (claimed.lanes().isEmpty()) {
                claimed.close();
                return false;
            }
            claim = claimed;
            return true;
        });
    }

    List<Integer> lanes() throws Exception {
        return run(() -> held().lanes());
    }

    Set<String> pausedTopics() throws Exception {
        return run(() -> held().pausedTopics());
    }

    boolean isHeld() throws Exception {
        return run(() -> held().isHeld());
    }

    void extend(int lanes) throws Exception {
        run(() -> {
            held().extend(lanes);
            return true;
        });
    }

    void request(int lanes) throws Exception {
        run(() -> {
            store.request(lanes);
            return true;
        });
    }

    DeliveryStore.Batch read(BatchLimits limits) throws Exception {
        return run(() -> held().read(limits));
    }

    void publishAll(DeliveryStore.Batch batch) throws Exception {
        record(batch.deliveries().stream().map(Outcome::published).toList());
    }

    void record(List<Outcome> outcomes) throws Exception {
        run(() -> {
            held().record(outcomes);
            return true;
        });
    }

    void release() throws Exception {
        run(() -> {
            held().close();
            claim = null;
            return true;
        });
    }

    /** Claims whatever there is, reads once, writes down what the outcomes are, and gives the lanes back. */
    List<Delivery> pass(BatchLimits limits, Function<Delivery, @Nullable Outcome> outcomes) throws Exception {
        if (!claim(64)) {
            return List.of();
        }
        List<Delivery> deliveries = read(limits).deliveries();
        record(deliveries.stream().map(outcomes).filter(Objects::nonNull).toList());
        release();
        return deliveries;
    }

    static Outcome failed(Delivery delivery, Outcome.State state, Duration delay) {
        return new Outcome(
                delivery,
                state,
                delay,
                new PublishFailure(PublishFailure.Kind.TRANSIENT, new IllegalStateException("no luck")));
    }

    private DeliveryStore.Claim held() {
        return Objects.requireNonNull(claim, "nothing claimed");
    }

    private <T> T run(Callable<T> step) throws Exception {
        return thread.submit(step).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Closing a claim whose connection is gone may fail; there is nothing left to give back then. */
    @Override
    public void close() {
        thread.execute(() -> {
            try (DeliveryStore.Claim last = claim) {
                claim = null;
            } catch (RuntimeException e) {
                claim = null;
            }
        });
        thread.shutdown();
        await().atMost(Duration.ofSeconds(LIMIT_SECONDS)).until(thread::isTerminated);
    }
}
