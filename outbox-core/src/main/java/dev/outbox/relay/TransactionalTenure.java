package dev.outbox.relay;

import dev.outbox.BatchLimits;
import dev.outbox.Delivery;
import dev.outbox.DeliveryStore;
import dev.outbox.Outcome;
import dev.outbox.PublishFailure;
import dev.outbox.TransactionalPublisher;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time for which one worker holds a set of lanes and publishes them in transactions: a batch that holds many records of
 * one aggregate goes out at once, because none of them can fail alone. While a batch is published the one before it is
 * written down.
 */
final class TransactionalTenure implements Shift {

    private final DeliveryStore.Claim claim;
    private final TransactionalPublisher publisher;
    private final RelaySettings settings;
    private final FailurePolicy policy;
    private final Marker marker;
    private final BooleanSupplier stopping;
    private final String lanes;
    private final long deadline;
    private CompletableFuture<@Nullable Throwable> written = CompletableFuture.completedFuture(null);
    private boolean unavailable;

    TransactionalTenure(
            DeliveryStore.Claim claim,
            TransactionalPublisher publisher,
            RelaySettings settings,
            FailurePolicy policy,
            Marker marker,
            BooleanSupplier stopping) {
        this.claim = claim;
        this.publisher = publisher;
        this.settings = settings;
        this.policy = policy;
        this.marker = marker;
        this.stopping = stopping;
        List<Integer> held = claim.lanes().stream().sorted().toList();
        this.lanes = held.get(0) + "-" + held.get(held.size() - 1);
        this.deadline = System.nanoTime() + settings.claims().tenure().toNanos();
    }

    /** It reads again and again anyway, for as long as it finds something. */
    @Override
    public void wake() {}

    @Override
    public boolean run() throws InterruptedException {
        boolean found = false;
        try {
            for (List<Delivery> batch = read(); !batch.isEmpty(); batch = mayGoOn() ? read() : List.of()) {
                found = true;
                write(publish(batch));
            }
        } finally {
            awaitWritten();
        }
        return found;
    }

    private List<Delivery> read() {
        RelaySettings.Flow flow = settings.flow();
        return claim.read(new BatchLimits(flow.batchSize(), flow.batchBytes())).deliveries();
    }

    private boolean mayGoOn() {
        return !unavailable && !stopping.getAsBoolean() && claim.isHeld() && System.nanoTime() - deadline < 0;
    }

    /** Publishes what can be published of a batch: what fails is taken out, with what stands behind it. */
    private List<Outcome> publish(List<Delivery> batch) throws InterruptedException {
        List<Outcome> outcomes = new ArrayList<>();
        List<Delivery> rest = takeOut(batch, paused(batch), outcomes);
        while (!rest.isEmpty()) {
            List<TransactionalPublisher.Failed> failed = publisher.publish(lanes, rest);
            if (failed.isEmpty()) {
                rest.forEach(delivery -> outcomes.add(Outcome.published(delivery)));
                return outcomes;
            }
            rest = takeOut(rest, failed, outcomes);
            if (failed.stream().anyMatch(f -> f.failure().kind() == PublishFailure.Kind.UNAVAILABLE)) {
                if (unavailable) {
                    return outcomes;
                }
                unavailable = true;
            }
        }
        return outcomes;
    }

    private List<TransactionalPublisher.Failed> paused(List<Delivery> batch) {
        return batch.stream()
                .filter(delivery ->
                        claim.pausedTopics().contains(delivery.event().topic()))
                .map(delivery -> new TransactionalPublisher.Failed(delivery, Flight.paused(delivery)))
                .toList();
    }

    private List<Delivery> takeOut(
            List<Delivery> batch, List<TransactionalPublisher.Failed> failures, List<Outcome> outcomes) {
        Set<Long> blocked = new HashSet<>();
        List<Delivery> rest = new ArrayList<>();
        for (Delivery delivery : batch) {
            PublishFailure failure = failures.stream()
                    .filter(failed -> failed.delivery().seq() == delivery.seq())
                    .map(TransactionalPublisher.Failed::failure)
                    .findFirst()
                    .orElse(null);
            if (blocked.contains(delivery.aggregateHash())) {
                outcomes.add(Outcome.behind(delivery));
            } else if (failure == null) {
                rest.add(delivery);
            } else {
                Outcome outcome = policy.outcome(delivery, failure);
                outcomes.add(outcome);
                if (outcome.state() != Outcome.State.PASSED_OVER) {
                    blocked.add(delivery.aggregateHash());
                }
            }
        }
        return rest;
    }

    private void write(List<Outcome> outcomes) throws InterruptedException {
        awaitWritten();
        CompletableFuture<@Nullable Throwable> done = new CompletableFuture<>();
        written = done;
        marker.record(claim, outcomes, (ignored, failure) -> done.complete(failure));
    }

    private void awaitWritten() throws InterruptedException {
        try {
            Throwable failure = written.get();
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
            if (failure instanceof Error error) {
                throw error;
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("never completed exceptionally", e);
        }
    }
}
