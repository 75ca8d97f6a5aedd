package dev.outbox.chaos;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One fault to be.
 *
 * @param kind what breaks
 * @param first which of the instances, or brokers, breaks first, from 0
 * @param count how many of them break at most, from the first on; meaningless for the database server itself
 * @param delay how long after the beginning of its group it comes
 * @param duration how long it lasts
 */
public record PlannedFault(FaultKind kind, int first, int count, Duration delay, Duration duration) {

    Duration end() {
        return delay.plus(duration);
    }

    /** Those that it meets. */
    <T> List<T> targets(List<T> all) {
        return IntStream.range(0, Math.min(count, all.size()))
                .mapToObj(i -> all.get((first + i) % all.size()))
                .toList();
    }

    /** Those that it does not meet. */
    <T> List<T> others(List<T> all) {
        List<T> met = targets(all);
        return all.stream().filter(one -> !met.contains(one)).toList();
    }

    @Override
    public String toString() {
        return "%s, up to %d from %d, for %d ms".formatted(kind, count, first + 1, duration.toMillis());
    }
}
