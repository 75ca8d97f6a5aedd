package dev.outbox.inbox.micrometer;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.LocalConsumers;
import dev.outbox.inbox.OpenDeadLetters;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows how many dead letters are open and how old the oldest is, by consumer. It is told, and asks nobody. Without an
 * answer of the database the gauges have no value. Thread-safe.
 */
public final class DeadLetterGauges implements Consumer<@Nullable List<OpenDeadLetters>> {

    /** Dead letters that nobody has decided on, those that wait behind others included. */
    public static final String OPEN = "outbox.inbox.dead.letters";

    /** Age of the oldest of them. */
    public static final String OLDEST_AGE = "outbox.inbox.dead.letters.oldest.age";

    private final MeterRegistry registry;
    private final LocalConsumers localConsumers;
    private final Set<ConsumerName> shown = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Map<ConsumerName, OpenDeadLetters> latest;

    /**
     * @param localConsumers which are shown also while they have no dead letters
     */
    public DeadLetterGauges(MeterRegistry registry, LocalConsumers localConsumers) {
        this.registry = registry;
        this.localConsumers = localConsumers;
    }

    @Override
    public void accept(@Nullable List<OpenDeadLetters> found) {
        if (found == null) {
            latest = null;
            return;
        }
        Map<ConsumerName, OpenDeadLetters> now = new HashMap<>();
        found.forEach(open -> now.put(open.consumer(), open));
        latest = now;
        Set<ConsumerName> all = new HashSet<>(now.keySet());
        all.addAll(localConsumers.names());
        all.stream().filter(shown::add).forEach(this::show);
    }

    private void show(ConsumerName consumer) {
        Gauge.builder(OPEN, () -> count(consumer))
                .description("Dead letters that wait for a decision")
                .tag(MicrometerInboxListener.CONSUMER, consumer.value())
                .register(registry);
        TimeGauge.builder(OLDEST_AGE, () -> age(consumer), TimeUnit.MILLISECONDS)
                .description("Age of the oldest dead letter that waits for a decision")
                .tag(MicrometerInboxListener.CONSUMER, consumer.value())
                .register(registry);
    }

    private double count(ConsumerName consumer) {
        OpenDeadLetters open = of(consumer);
        return open == null ? Double.NaN : open.count();
    }

    private double age(ConsumerName consumer) {
        OpenDeadLetters open = of(consumer);
        return open == null ? Double.NaN : open.oldestAge().toMillis();
    }

    private @Nullable OpenDeadLetters of(ConsumerName consumer) {
        Map<ConsumerName, OpenDeadLetters> now = latest;
        return now == null ? null : now.getOrDefault(consumer, new OpenDeadLetters(consumer, 0, Duration.ZERO));
    }
}
