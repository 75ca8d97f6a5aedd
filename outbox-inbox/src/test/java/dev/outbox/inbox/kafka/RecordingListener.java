package dev.outbox.inbox.kafka;

import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.RecordPosition;
import dev.outbox.inbox.StopConsumerException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Observes an inbox through its public interface. */
final class RecordingListener implements InboxListener {

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<String> stops = new CopyOnWriteArrayList<>();
    private final Map<String, DoubleSupplier> lags = new ConcurrentHashMap<>();

    @Override
    public void processed(String consumer, UUID eventId) {
        calls.add("processed " + consumer);
    }

    @Override
    public void duplicate(String consumer, UUID eventId) {
        calls.add("duplicate " + consumer);
    }

    @Override
    public void failed(String consumer, @Nullable UUID eventId, RecordPosition position, Throwable cause) {
        calls.add("failed " + consumer);
    }

    @Override
    public void deadLettered(String consumer, @Nullable UUID eventId, RecordPosition position, Throwable cause) {
        calls.add("deadLettered " + consumer);
    }

    @Override
    public void outsideWindow(String consumer, UUID eventId, RecordPosition position, Duration age) {
        calls.add("outsideWindow " + consumer);
    }

    @Override
    public void stopped(String consumer, RecordPosition position, StopConsumerException cause) {
        calls.add("stopped " + consumer);
        stops.add(String.valueOf(cause.getMessage()));
    }

    @Override
    public void assigned(String consumer, TopicPartition partition, DoubleSupplier lag) {
        calls.add("assigned " + consumer);
        lags.put(consumer + " " + partition, lag);
    }

    @Override
    public void revoked(String consumer, TopicPartition partition) {
        lags.remove(consumer + " " + partition);
    }

    /** Returns why consumers stopped. */
    List<String> stops() {
        return stops;
    }

    /** Returns the lags of the partitions that are assigned, by consumer and partition. */
    Map<String, DoubleSupplier> lags() {
        return lags;
    }

    /** Returns how often a call was received: its name, a blank, the consumer. */
    long count(String call) {
        return calls.stream().filter(call::equals).count();
    }
}
