package dev.outbox.relay;

import dev.outbox.OutboxListener;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes passes until it is stopped. Failure, waiting and interruption are decided here and nowhere else. */
final class RelayLoop implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    private static final IntervalFunction FAILURE_PAUSE =
            IntervalFunction.ofExponentialRandomBackoff(Duration.ofMillis(500), 2, 0.5, Duration.ofSeconds(30));

    private final RelayCycle cycle;
    private final RelaySettings.Polling polling;
    private final OutboxListener listener;
    private final Waiter waiter = new Waiter();
    private volatile boolean stopped;
    private volatile @Nullable Trouble trouble;
    private Duration idle;
    private int failures;
    private boolean expectWork;

    RelayLoop(RelayCycle cycle, RelaySettings.Polling polling, OutboxListener listener) {
        this.cycle = cycle;
        this.polling = polling;
        this.listener = listener;
        this.idle = polling.minInterval();
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                pass();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void wake() {
        waiter.wake();
        cycle.wake();
    }

    void opened(String topic) {
        cycle.opened(topic);
        waiter.wake();
    }

    void probing(String topic) {
        cycle.probing(topic);
        waiter.wake();
    }

    void stop() {
        stopped = true;
        wake();
    }

    /** What passes have failed with since the last one that succeeded. */
    @Nullable
    Trouble trouble() {
        return trouble;
    }

    /** Makes a pass and waits as long as its result asks for. Whatever a pass throws, the relay goes on. */
    private void pass() throws InterruptedException {
        RelayCycle.Pass pass;
        try {
            pass = cycle.run(expectWork);
        } catch (RuntimeException | Error e) {
            expectWork = false;
            afterFailure(e);
            return;
        }
        if (pass != RelayCycle.Pass.SKIPPED) {
            failures = 0;
            trouble = null;
        }
        expectWork = pass == RelayCycle.Pass.WORKED;
        if (pass == RelayCycle.Pass.WORKED || pass == RelayCycle.Pass.WAITING) {
            idle = polling.minInterval();
        }
        if (pass != RelayCycle.Pass.WORKED) {
            await();
        }
    }

    private void await() throws InterruptedException {
        Duration pause = idle;
        Duration doubled = idle.multipliedBy(2);
        idle = doubled.compareTo(polling.maxInterval()) < 0 ? doubled : polling.maxInterval();
        if (waiter.await(pause)) {
            idle = polling.minInterval();
            expectWork = true;
        }
    }

    private void afterFailure(Throwable e) throws InterruptedException {
        failures++;
        Trouble before = trouble;
        trouble = new Trouble(before == null ? System.nanoTime() : before.since(), e);
        Duration pause = Duration.ofMillis(FAILURE_PAUSE.apply(failures));
        try {
            report(e, pause);
        } catch (RuntimeException | Error untold) {
            // Where memory is short even the report may fail, which shall not end the relay.
        }
        rest(pause);
    }

    private void report(Throwable e, Duration pause) {
        if (failures == 1) {
            log.warn("A pass of the relay failed; the next one comes in {} ms", pause.toMillis(), e);
        } else {
            log.warn(
                    "{} passes of the relay failed in a row; the next one comes in {} ms: {}",
                    failures,
                    pause.toMillis(),
                    e.toString());
        }
        listener.cycleFailed(e);
    }

    /** Only a stop ends it early: under load every commit wakes the relay, and each would bring the next failure. */
    private void rest(Duration pause) throws InterruptedException {
        long end = System.nanoTime() + pause.toNanos();
        for (long left = pause.toNanos(); left > 0 && !stopped; left = end - System.nanoTime()) {
            waiter.await(Duration.ofNanos(left));
        }
    }

    /**
     * @param since when the first of these passes failed, by {@code System.nanoTime()}
     * @param latest what the latest one failed with
     */
    record Trouble(long since, Throwable latest) {

        Duration duration() {
            return Duration.ofNanos(System.nanoTime() - since);
        }
    }
}
