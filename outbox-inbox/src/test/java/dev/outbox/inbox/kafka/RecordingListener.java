package dev.outbox.inbox.kafka;

import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.RecordPosition;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Observes an inbox through its public interface. */
final class RecordingListener implements InboxListener {

    private final List<String> calls = new CopyOnWriteArrayList<>();

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

    /** Returns how often a call was received: its name, a blank, the consumer. */
    long count(String call) {
        return calls.stream().filter(call::equals).count();
    }
}
