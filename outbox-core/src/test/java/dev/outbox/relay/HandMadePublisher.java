package dev.outbox.relay;

import dev.outbox.Delivery;
import dev.outbox.EventPublisher;
import dev.outbox.PublishFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A publisher whose acknowledgements the test gives by hand. */
final class HandMadePublisher implements EventPublisher {

    final List<Long> sent = new CopyOnWriteArrayList<>();
    final Set<String> prepared = ConcurrentHashMap.newKeySet();
    volatile Availability availability = Availability.AVAILABLE;
    volatile boolean acknowledgesAll;
    private final Map<Long, Callback> pending = new ConcurrentHashMap<>();

    @Override
    public void prepare(Set<String> topics) {
        prepared.addAll(topics);
    }

    @Override
    public void publish(Delivery delivery, Callback callback) {
        pending.put(delivery.seq(), callback);
        sent.add(delivery.seq());
        if (acknowledgesAll) {
            acknowledge(delivery.seq());
        }
    }

    @Override
    public Availability availability() {
        return availability;
    }

    @Override
    public long publishTimeout() {
        return Duration.ofSeconds(30).toMillis();
    }

    void acknowledgeAll() {
        pending.keySet().forEach(this::acknowledge);
    }

    void acknowledge(long seq) {
        complete(seq, null);
    }

    void fail(long seq, PublishFailure.Kind kind) {
        complete(seq, new PublishFailure(kind, new IllegalStateException("no luck")));
    }

    private void complete(long seq, @Nullable PublishFailure failure) {
        Objects.requireNonNull(pending.remove(seq), "not in flight").completed(failure);
    }
}
