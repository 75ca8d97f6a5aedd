package dev.outbox.inbox.micrometer;

import dev.outbox.inbox.EarlyBacklog;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What was last seen of the early events of each consumer. A gauge has no value instead of an old one. */
final class EarlyEventGauges {

    /** Longer than the longest wait between two looks. */
    private static final Duration BELIEVED = Duration.ofMinutes(5);

    private final MeterRegistry registry;
    private final Map<String, Latest> looks = new ConcurrentHashMap<>();

    EarlyEventGauges(MeterRegistry registry) {
        this.registry = registry;
    }

    void set(String consumer, @Nullable EarlyBacklog waiting) {
        looks.computeIfAbsent(consumer, this::register).look = new Look(waiting, System.nanoTime());
    }

    private Latest register(String consumer) {
        Latest latest = new Latest();
        Gauge.builder(MicrometerInboxListener.EARLY_EVENTS, () -> latest.read(EarlyBacklog::count))
                .description("Events that are kept until a missing version of their aggregate has come")
                .tag(MicrometerInboxListener.CONSUMER, consumer)
                .register(registry);
        TimeGauge.builder(
                        MicrometerInboxListener.EARLY_OLDEST_AGE,
                        () -> latest.read(waiting -> waiting.oldestAge().toMillis()),
                        TimeUnit.MILLISECONDS)
                .description("How long the oldest of them has waited")
                .tag(MicrometerInboxListener.CONSUMER, consumer)
                .register(registry);
        return latest;
    }

    private record Look(@Nullable EarlyBacklog waiting, long at) {}

    private static final class Latest {

        private volatile Look look = new Look(null, System.nanoTime());

        private double read(ToDoubleFunction<EarlyBacklog> value) {
            Look current = look;
            boolean believed = System.nanoTime() - current.at() <= BELIEVED.toNanos();
            return current.waiting() == null || !believed ? Double.NaN : value.applyAsDouble(current.waiting());
        }
    }
}
