package dev.outbox.relay;

import dev.outbox.Aggregate;
import dev.outbox.BatchLimits;
import dev.outbox.DeliveryStore;
import dev.outbox.EventPublisher;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;

/** Decides when a tenure reads, and how much: ahead of what is under way, within its bounds, and not for nothing. */
final class ReadPace {

    /** Wake-ups under load come more often than it is worth while to read. */
    private static final Duration SPACING = Duration.ofMillis(2);

    /** Retries come due without a wake-up. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    /** A look for lanes that were not worth claiming before; it asks about each. */
    private static final Duration WIDEN_EVERY = Duration.ofMillis(10);

    private static final int FEW = 4;

    private final RelaySettings.Flow flow;
    private final Flight flight;
    private final EventPublisher publisher;
    private final IntSupplier lanes;
    private final AtomicBoolean woken = new AtomicBoolean();
    private boolean begun;
    private boolean news;
    private boolean more = true;
    private long readAt;
    private long widenedAt = System.nanoTime();
    private int lastRead;
    private int writtenAtRead;

    /**
     * @param lanes how many are held
     */
    ReadPace(RelaySettings.Flow flow, Flight flight, EventPublisher publisher, IntSupplier lanes) {
        this.flow = flow;
        this.flight = flight;
        this.publisher = publisher;
        this.lanes = lanes;
    }

    /** Something was appended; tells whether that is news. Any thread. */
    boolean wake() {
        return woken.compareAndSet(false, true);
    }

    /** There may be something in lanes that were not held before. */
    void lookAtOnce() {
        more = true;
    }

    /**
     * Whether what was appended may be in lanes that had nothing to publish when the others were claimed: a tenure that
     * goes on must not let those wait for its end.
     */
    boolean mayWiden() {
        return (news || woken.get())
                && !more
                && lanes.getAsInt() < Aggregate.LANES
                && System.nanoTime() - widenedAt >= WIDEN_EVERY.toNanos();
    }

    /** All lanes have been looked at that are free. */
    void widened() {
        news = false;
        widenedAt = System.nanoTime();
    }

    /** Whether there was a read, and nothing speaks for another one. */
    boolean isDone() {
        return begun && (!isAvailable() || !(more || woken.get()));
    }

    boolean mayRead() {
        if (!isWorthWhile()) {
            return false;
        }
        return switch (publisher.availability()) {
            case AVAILABLE -> hasRoom();
            case PROBING -> flight.records() == 0;
            case UNAVAILABLE -> !begun;
        };
    }

    /** A read that found little is not repeated before some of what is under way has ended. */
    private boolean isWorthWhile() {
        long elapsed = System.nanoTime() - readAt;
        boolean progress = flight.records() == 0
                || lastRead >= flow.batchSize() / FEW
                || flight.written() - writtenAtRead >= perLane() / FEW;
        return (more && progress)
                || (woken.get() && (flight.records() == 0 || elapsed >= SPACING.toNanos()))
                || mayWiden()
                || elapsed >= LOOK_AGAIN.toNanos();
    }

    private boolean hasRoom() {
        return flight.records() == 0
                || (flow.inFlight() - flight.records() >= (flow.batchSize() + 1) / 2
                        && flow.inFlightBytes() - flight.bytes() >= (flow.batchBytes() + 1) / 2);
    }

    private boolean isAvailable() {
        return publisher.availability() != EventPublisher.Availability.UNAVAILABLE;
    }

    private int perLane() {
        return Math.max(1, flow.inFlight() / lanes.getAsInt());
    }

    /** How long to wait for an event before looking here again, in nanoseconds. */
    long pause(Duration longest) {
        return mayRead() ? 0 : (woken.get() ? SPACING : longest).toNanos();
    }

    /** A read begins; returns its bounds. */
    BatchLimits begin() {
        news |= woken.getAndSet(false);
        begun = true;
        boolean probing = publisher.availability() == EventPublisher.Availability.PROBING;
        int records = probing ? 1 : Math.min(flow.batchSize(), flow.inFlight() - flight.records());
        long bytes = Math.min(flow.batchBytes(), flow.inFlightBytes() - flight.bytes());
        return new BatchLimits(Math.max(1, records), Math.max(1, bytes), perLane());
    }

    void ended(DeliveryStore.Batch batch) {
        more = batch.full();
        lastRead = batch.deliveries().size();
        writtenAtRead = flight.written();
        readAt = System.nanoTime();
    }
}
