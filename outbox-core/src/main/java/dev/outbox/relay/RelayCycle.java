package dev.outbox.relay;

import dev.outbox.DeliveryStore;
import dev.outbox.EventPublisher;
import dev.outbox.TransactionalPublisher;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One pass of a relay: claim lanes, work as long as they are held, give them back. */
final class RelayCycle {

    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

    /** What a pass came to. */
    enum Pass {

        /** It found something: another pass is worth while at once. */
        WORKED,

        /** It found nothing to do. */
        IDLE,

        /** Others hold all there is to do and were asked for a share, which comes soon. */
        WAITING,

        /** Nothing could be published, so the database was not asked. */
        SKIPPED
    }

    private final DeliveryStore store;
    private final EventPublisher publisher;
    private final @Nullable TransactionalPublisher transactions;
    private final RelaySettings settings;
    private final FailurePolicy failurePolicy;
    private final Marker marker;
    private final BooleanSupplier stopping;
    private volatile @Nullable Shift shift;
    private final Queue<Runnable> releases = new ConcurrentLinkedQueue<>();
    private long lastPass = System.nanoTime();
    private long starvingSince;
    private boolean starving;

    /**
     * @param transactions where batches are published in transactions; {@code null} where records are published one by one
     * @param stopping while true, nothing more is sent
     */
    RelayCycle(
            DeliveryStore store,
            EventPublisher publisher,
            @Nullable TransactionalPublisher transactions,
            RelaySettings settings,
            Marker marker,
            BooleanSupplier stopping) {
        this.store = store;
        this.publisher = publisher;
        this.transactions = transactions;
        this.settings = settings;
        this.failurePolicy = new FailurePolicy(settings);
        this.marker = marker;
        this.stopping = stopping;
    }

    /** What was put off of a topic need not wait any longer. Any thread. */
    void opened(String topic) {
        releases.add(() -> store.release(topic));
    }

    /** One record of a topic is wanted. Any thread. */
    void probing(String topic) {
        releases.add(() -> store.releaseOne(topic));
    }

    /** Something was appended. Any thread. */
    void wake() {
        Shift current = shift;
        if (current != null) {
            current.wake();
        }
    }

    /**
     * Makes one pass.
     *
     * @param expectWork whether somebody says that there is something, so that looking first would be a waste
     */
    Pass run(boolean expectWork) throws InterruptedException {
        if (!isWorthWhile()) {
            return Pass.SKIPPED;
        }
        releasePutOff();
        lastPass = System.nanoTime();
        if (!expectWork && !store.hasWork()) {
            starving = false;
            return Pass.IDLE;
        }
        int lanes = settings.claims().lanes();
        try (DeliveryStore.Claim claim = transactions == null ? store.claim(lanes) : store.claimSet(lanes)) {
            if (claim.lanes().isEmpty()) {
                return starve();
            }
            starving = false;
            return work(claim) ? Pass.WORKED : Pass.IDLE;
        }
    }

    private void releasePutOff() {
        for (Runnable release = releases.poll(); release != null; release = releases.poll()) {
            release.run();
        }
    }

    private boolean work(DeliveryStore.Claim claim) throws InterruptedException {
        Shift current = transactions == null
                ? new Tenure(claim, publisher, settings, failurePolicy, marker, stopping)
                : new TransactionalTenure(claim, transactions, settings, failurePolicy, marker, stopping);
        shift = current;
        try {
            return current.run();
        } finally {
            shift = null;
        }
    }

    /**
     * Others are at work on all there is. That is fine for as long as one tenure takes; then they are asked for lanes, or
     * those who come late would come to nothing.
     */
    private Pass starve() {
        if (!store.hasWork()) {
            starving = false;
            return Pass.IDLE;
        }
        if (!starving) {
            starving = true;
            starvingSince = System.nanoTime();
        }
        if (System.nanoTime() - starvingSince < settings.claims().tenure().toNanos()) {
            return Pass.IDLE;
        }
        store.request(settings.claims().lanes());
        return Pass.WAITING;
    }

    /**
     * While every known topic is unavailable there is nothing to gain, but for events of a topic that is not known yet: so
     * a look now and then.
     */
    private boolean isWorthWhile() {
        return publisher.availability() != EventPublisher.Availability.UNAVAILABLE
                || System.nanoTime() - lastPass >= LOOK_EVERY.toNanos();
    }
}
