package dev.outbox.relay;

import dev.outbox.DeliveryStore;
import dev.outbox.EventPublisher;
import dev.outbox.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time for which one worker holds its lanes: it reads ahead, keeps several batches under way and has each written down
 * as its acknowledgements come in.
 *
 * <p>It ends when there is nothing more to read, when its time is over, when the relay stops, or when something failed; and
 * always after what was sent has ended and is written down. What has been slow for so long that the time is over keeps
 * nobody waiting: the worker reads on, and takes further lanes. It also takes lanes that get something meanwhile, as long as
 * it comes to the end of those it has.
 */
final class Tenure implements Shift {

    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    private static final int RECORD_AT = 500;
    private static final Duration RECORD_EVERY = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final DeliveryStore.Claim claim;
    private final EventPublisher publisher;
    private final RelaySettings settings;
    private final Marker marker;
    private final BooleanSupplier stopping;

    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final Flight flight;
    private final ReadPace pace;
    private final List<Outcome> notWritten = new ArrayList<>();
    private long deadline;
    private long recordedAt = System.nanoTime();
    private long overdueSince;
    private boolean found;
    private boolean marking;
    private boolean closed;
    private boolean hanging;
    private @Nullable Throwable failure;

    Tenure(
            DeliveryStore.Claim claim,
            EventPublisher publisher,
            RelaySettings settings,
            FailurePolicy policy,
            Marker marker,
            BooleanSupplier stopping) {
        this.claim = claim;
        this.publisher = publisher;
        this.settings = settings;
        this.marker = marker;
        this.stopping = stopping;
        this.flight = new Flight(publisher, policy, settings.flow().ordering(), claim.pausedTopics(), events::add);
        this.pace = new ReadPace(
                settings.flow(), flight, publisher, () -> claim.lanes().size());
        this.deadline = System.nanoTime() + settings.claims().tenure().toNanos();
    }

    @Override
    public void wake() {
        if (pace.wake()) {
            events.add(() -> {});
        }
    }

    @Override
    public boolean run() throws InterruptedException {
        try {
            while (!isOver()) {
                if (mayRead()) {
                    read();
                }
                record();
                Runnable event = events.poll(pause(), TimeUnit.NANOSECONDS);
                endWhatCannotGoOn();
                handle(event);
                extendWhenSlow();
            }
        } catch (InterruptedException e) {
            recordWhatIsKnown();
            throw e;
        }
        writeWhatWasNotWritten();
        return found;
    }

    private void handle(@Nullable Runnable first) {
        for (Runnable event = first; event != null; event = events.poll()) {
            try {
                event.run();
            } catch (RuntimeException | Error e) {
                fail(e);
            }
        }
    }

    private boolean isOver() {
        if (marking) {
            return false;
        }
        if (closed) {
            return (flight.sending() == 0 || hanging) && flight.outcomes() == 0;
        }
        return flight.records() == 0 && (isTimeUp() || pace.isDone());
    }

    private boolean isTimeUp() {
        return System.nanoTime() - deadline >= 0;
    }

    private long pause() {
        return closed || isTimeUp() ? RECORD_EVERY.toNanos() : pace.pause(RECORD_EVERY);
    }

    private boolean mayRead() {
        return !closed && !isTimeUp() && pace.mayRead();
    }

    private void read() throws InterruptedException {
        try {
            if (pace.mayWiden()) {
                pace.widened();
                claim.extend(settings.claims().lanes());
            }
            DeliveryStore.Batch batch = claim.read(pace.begin());
            found |= !batch.deliveries().isEmpty();
            flight.accept(batch.deliveries());
            pace.ended(batch);
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    /** Hands outcomes to the marker: many at once while there is much to do, and at once when nothing else is under way. */
    private void record() {
        boolean due = flight.outcomes() >= RECORD_AT
                || flight.sending() == 0
                || System.nanoTime() - recordedAt >= RECORD_EVERY.toNanos();
        if (!marking && due && flight.outcomes() > 0) {
            marking = true;
            recordedAt = System.nanoTime();
            marker.record(claim, flight.takeOutcomes(), (outcomes, e) -> events.add(() -> recorded(outcomes, e)));
        }
    }

    private void recorded(List<Outcome> outcomes, @Nullable Throwable e) {
        marking = false;
        recordedAt = System.nanoTime();
        if (e == null) {
            flight.recorded(outcomes);
        } else {
            notWritten.addAll(outcomes);
            fail(e);
        }
    }

    private void fail(Throwable e) {
        if (failure == null) {
            failure = e;
        }
        close();
    }

    private void close() {
        closed = true;
        flight.close();
    }

    private void endWhatCannotGoOn() {
        if (!closed && (stopping.getAsBoolean() || !claim.isHeld())) {
            close();
        }
        long limit = TimeUnit.MILLISECONDS.toNanos(publisher.publishTimeout());
        if (flight.oldestSending() <= limit) {
            overdueSince = 0;
        } else if (overdueSince == 0) {
            // A process that was stopped meanwhile must first hear what has ended.
            overdueSince = System.nanoTime();
        } else if (!hanging && System.nanoTime() - overdueSince > GRACE.toNanos()) {
            hanging = true;
            fail(new IllegalStateException("The publisher has not told the end of a record within "
                    + publisher.publishTimeout() + " ms; " + flight.sending() + " records will be published again"));
        }
    }

    private void extendWhenSlow() {
        if (!closed && flight.records() > 0 && System.nanoTime() - deadline >= PATIENCE.toNanos()) {
            try {
                claim.extend(settings.claims().lanes());
                deadline = System.nanoTime() + settings.claims().tenure().toNanos();
                pace.lookAtOnce();
            } catch (RuntimeException | Error e) {
                fail(e);
            }
        }
    }

    /** The database may be back, and what was acknowledged need not be published again. */
    private void writeWhatWasNotWritten() {
        if (!notWritten.isEmpty()) {
            claim.record(notWritten);
            log.info("{} marks that had failed are written down now", notWritten.size());
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** What an interrupted worker knows to be acknowledged is not published again. */
    private void recordWhatIsKnown() throws InterruptedException {
        handle(events.poll());
        close();
        long end = System.nanoTime() + GRACE.toNanos();
        while ((marking || flight.outcomes() > 0) && failure == null && System.nanoTime() - end < 0) {
            if (!marking) {
                marking = true;
                marker.record(claim, flight.takeOutcomes(), (outcomes, e) -> events.add(() -> recorded(outcomes, e)));
            }
            handle(events.poll(RECORD_EVERY.toNanos(), TimeUnit.NANOSECONDS));
        }
    }
}
