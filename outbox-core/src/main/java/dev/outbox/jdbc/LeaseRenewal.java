package dev.outbox.jdbc;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews leases on a thread of its own, which runs while there are any: what keeps a worker busy costs no lane. */
final class LeaseRenewal {

    private static final Logger log = LoggerFactory.getLogger(LeaseRenewal.class);

    private final Duration period;
    private final Set<LeasedLanes> leased = new CopyOnWriteArraySet<>();
    private @Nullable ScheduledExecutorService thread;

    LeaseRenewal(Duration period) {
        this.period = period;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is cancelled by shutting down its thread
    synchronized void add(LeasedLanes lanes) {
        leased.add(lanes);
        if (thread == null) {
            thread = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread daemon = new Thread(task, "outbox-lease");
                daemon.setDaemon(true);
                return daemon;
            });
            thread.scheduleWithFixedDelay(this::renew, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    synchronized void remove(LeasedLanes lanes) {
        leased.remove(lanes);
        if (leased.isEmpty() && thread != null) {
            thread.shutdown();
            thread = null;
        }
    }

    /** A scheduled task that throws is never run again. */
    private void renew() {
        for (LeasedLanes lanes : leased) {
            try {
                lanes.renew();
            } catch (RuntimeException | Error e) {
                log.warn(
                        "The leases of {} lanes were not renewed: {}",
                        lanes.lanes().size(),
                        e.toString());
            }
        }
    }
}
