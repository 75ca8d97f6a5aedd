package dev.outbox.inbox.kafka;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;

/** Time since a consumer's last poll in ms, by the metric that Kafka keeps of it; 0 if unknown. Thread-safe. */
final class LastPoll implements ToLongFunction<Consumer<?, ?>> {

    private static final String METRIC = "last-poll-seconds-ago";

    private final Map<Consumer<?, ?>, Optional<Metric>> found = Collections.synchronizedMap(new WeakHashMap<>());

    @Override
    public long applyAsLong(Consumer<?, ?> consumer) {
        return found.computeIfAbsent(consumer, LastPoll::find)
                .map(metric -> metric.metricValue() instanceof Number seconds ? seconds.longValue() : 0L)
                .map(seconds -> TimeUnit.SECONDS.toMillis(Math.max(0, seconds)))
                .orElse(0L);
    }

    private static Optional<Metric> find(Consumer<?, ?> consumer) {
        return consumer.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals(METRIC))
                .<Metric>map(Map.Entry::getValue)
                .findFirst();
    }
}
