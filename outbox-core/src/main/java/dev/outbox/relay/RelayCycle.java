package dev.outbox.relay;

import dev.outbox.DeliveryStore;
import dev.outbox.EventPublisher;
import dev.outbox.OutboxListener;
import java.util.function.BooleanSupplier;

/** One pass of a relay: claim lanes, read a batch, publish it, write down the outcomes, give the lanes back. */
final class RelayCycle {

    private final DeliveryStore store;
    private final EventPublisher publisher;
    private final RelaySettings settings;
    private final FailurePolicy failurePolicy;
    private final OutcomeReport report;
    private final BooleanSupplier stopping;
    private long lastPass = System.nanoTime();

    /**
     * @param stopping while true, nothing more is sent
     */
    RelayCycle(
            DeliveryStore store,
            EventPublisher publisher,
            RelaySettings settings,
            OutboxListener listener,
            BooleanSupplier stopping) {
        this.store = store;
        this.publisher = publisher;
        this.settings = settings;
        this.failurePolicy = new FailurePolicy(settings.retry());
        this.report = new OutcomeReport(listener);
        this.stopping = stopping;
    }

    /** Makes one pass; tells whether it found something to do, so that another pass is worth while at once. */
    boolean run() throws InterruptedException {
        if (!isWorthWhile()) {
            return false;
        }
        lastPass = System.nanoTime();
        try (DeliveryStore.Claim claim = store.claim(settings.lanesPerClaim())) {
            if (claim.isEmpty()) {
                return false;
            }
            DeliveryStore.Batch batch = claim.read(settings.batch());
            new Dispatch(claim, publisher, failurePolicy, report, stopping).deliver(batch.deliveries());
            return batch.full() || !batch.deliveries().isEmpty();
        }
    }

    /**
     * While every known topic is unavailable there is nothing to gain, but for events of a topic that is not known yet: so
     * a look now and then.
     */
    private boolean isWorthWhile() {
        return publisher.availability() != EventPublisher.Availability.UNAVAILABLE
                || System.nanoTime() - lastPass
                        >= settings.retry().unavailableDelay().toNanos();
    }
}
