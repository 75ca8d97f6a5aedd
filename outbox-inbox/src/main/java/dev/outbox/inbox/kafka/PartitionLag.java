package dev.outbox.inbox.kafka;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** How old the oldest record of a partition is whose offset is not committed. Thread-safe. */
final class PartitionLag {

    private final InstantSource clock;
    private final Supplier<OptionalDouble> recordsBehind;
    /** What was delivered and is not committed, by offset. */
    private final Deque<Delivered> open = new ArrayDeque<>();

    private long committedTimestamp = Long.MIN_VALUE;

    /**
     * @param recordsBehind how many records the broker had after the last one that was delivered, if that is known
     */
    PartitionLag(InstantSource clock, Supplier<OptionalDouble> recordsBehind) {
        this.clock = clock;
        this.recordsBehind = recordsBehind;
    }

    /** Takes in what a poll has delivered, in the order of offsets; what had been delivered before may come again. */
    synchronized void delivered(List<? extends ConsumerRecord<?, ?>> records) {
        for (ConsumerRecord<?, ?> record : records) {
            while (!open.isEmpty() && open.getLast().offset() >= record.offset()) {
                open.removeLast();
            }
            open.addLast(new Delivered(record.offset(), record.timestamp()));
        }
    }

    /**
     * @param next the offset after the last one that is committed
     */
    synchronized void committed(long next) {
        while (!open.isEmpty() && open.getFirst().offset() < next) {
            committedTimestamp = open.removeFirst().timestamp();
        }
    }

    /** Returns seconds: 0 if all is committed, {@code NaN} while nothing is known. */
    double seconds() {
        long oldest;
        synchronized (this) {
            oldest = open.isEmpty() ? Long.MIN_VALUE : open.getFirst().timestamp();
        }
        if (oldest != Long.MIN_VALUE) {
            return age(oldest);
        }
        OptionalDouble behind = recordsBehind.get();
        if (behind.isEmpty()) {
            return Double.NaN;
        }
        // Between two polls, or paused: the next record is about as old as the last one.
        return behind.getAsDouble() > 0 ? age(lastCommitted()) : 0;
    }

    private synchronized long lastCommitted() {
        return committedTimestamp;
    }

    private double age(long timestamp) {
        return timestamp < 0 ? Double.NaN : Math.max(0, clock.millis() - timestamp) / 1000.0;
    }

    private record Delivered(long offset, long timestamp) {}
}
