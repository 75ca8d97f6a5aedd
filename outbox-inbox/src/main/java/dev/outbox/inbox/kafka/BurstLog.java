package dev.outbox.inbox.kafka;

import java.time.Duration;
import java.util.function.LongConsumer;

/** Logs the first of a burst, and then one line a minute with how many there were since. Thread-safe. */
final class BurstLog {

    private static final long INTERVAL = Duration.ofMinutes(1).toNanos();

    private boolean begun;
    private long loggedAt;
    private long since;

    /**
     * @param log called if this one is to be logged, with how many there were since the last line, this one included
     */
    synchronized void add(LongConsumer log) {
        since++;
        long now = System.nanoTime();
        if (begun && now - loggedAt < INTERVAL) {
            return;
        }
        begun = true;
        loggedAt = now;
        log.accept(since);
        since = 0;
    }
}
