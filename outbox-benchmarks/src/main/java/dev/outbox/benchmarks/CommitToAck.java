package dev.outbox.benchmarks;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.Histogram;
import org.awaitility.Awaitility;

/** When events were committed and when the broker acknowledged them. Any thread. */
final class CommitToAck {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int DIGITS = 3;

    private final Map<UUID, Long> committed = new ConcurrentHashMap<>();
    private final Map<UUID, Long> acknowledged = new ConcurrentHashMap<>();

    void committed(Collection<UUID> eventIds) {
        long now = System.nanoTime();
        eventIds.forEach(eventId -> committed.put(eventId, now));
    }

    void acknowledged(UUID eventId) {
        acknowledged.putIfAbsent(eventId, System.nanoTime());
    }

    /** Waits until everything is acknowledged; returns the times between in nanoseconds, and forgets all. */
    Histogram awaitAll() {
        Awaitility.await("acknowledgements of all that was committed")
                .atMost(LIMIT)
                .until(() -> acknowledged.size() >= committed.size());
        Histogram times = new Histogram(DIGITS);
        // An event can be acknowledged before the committing thread has come to look at its clock.
        committed.forEach((eventId, since) ->
                times.recordValue(Math.max(0, acknowledged.getOrDefault(eventId, Long.MAX_VALUE) - since)));
        committed.clear();
        acknowledged.clear();
        return times;
    }
}
