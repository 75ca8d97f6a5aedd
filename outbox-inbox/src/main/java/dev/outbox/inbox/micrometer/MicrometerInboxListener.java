package dev.outbox.inbox.micrometer;

import dev.outbox.inbox.EarlyBacklog;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.RecordPosition;
import dev.outbox.inbox.StopConsumerException;
import dev.outbox.inbox.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Counts what the inbox does, each counter with the tag {@value #CONSUMER}. */
public final class MicrometerInboxListener implements InboxListener {

    /** Events whose effect was applied. */
    public static final String PROCESSED = "outbox.inbox.processed";

    /** Events that arrived again and were skipped. */
    public static final String DUPLICATES = "outbox.inbox.duplicates";

    /** Deliveries that failed, each retry included. */
    public static final String FAILED = "outbox.inbox.failed";

    /** Records that were dead-lettered. */
    public static final String DEAD_LETTERED = "outbox.inbox.dead.lettered";

    /** Events that were taken in but not applied, by {@value #VERDICT}. */
    public static final String NOT_APPLIED = "outbox.inbox.not.applied";

    /** Early events that are kept. */
    public static final String EARLY_EVENTS = "outbox.inbox.early.events";

    /** How long the oldest of them has waited. */
    public static final String EARLY_OLDEST_AGE = "outbox.inbox.early.oldest.age";

    /** Tag with what became of an event: {@code stale}, {@code early}, {@code behind}. */
    public static final String VERDICT = "verdict";
    /** Events that were older than what the inbox remembers, each attempt included. */
    public static final String OUTSIDE_WINDOW = "outbox.inbox.outside.window";

    /** Stops of consumers that must not go on. */
    public static final String STOPPED = "outbox.inbox.stopped";

    /**
     * Age in seconds of the oldest record whose offset is not committed, 0 if there is none, for each partition that
     * this process has; also with the tags {@value #TOPIC} and {@value #PARTITION}.
     */
    public static final String LAG = "outbox.inbox.lag.seconds";

    /** Tag with the consumer's name. */
    public static final String CONSUMER = "consumer";

    /** Tag with the topic's name. */
    public static final String TOPIC = "topic";

    /** Tag with the partition's number. */
    public static final String PARTITION = "partition";

    private final MeterRegistry registry;
    private final Map<List<Object>, Gauge> lags = new ConcurrentHashMap<>();
    private final MeterProvider<Counter> processed;
    private final MeterProvider<Counter> duplicates;
    private final MeterProvider<Counter> failed;
    private final MeterProvider<Counter> deadLettered;
    private final MeterProvider<Counter> notApplied;
    private final EarlyEventGauges early;
    private final MeterProvider<Counter> outsideWindow;
    private final MeterProvider<Counter> stopped;

    public MicrometerInboxListener(MeterRegistry registry) {
        this.registry = registry;
        this.processed = counter(registry, PROCESSED, "Events whose effect was applied");
        this.duplicates = counter(registry, DUPLICATES, "Events that arrived again and were skipped");
        this.failed = counter(registry, FAILED, "Deliveries that failed, each retry included");
        this.deadLettered = counter(registry, DEAD_LETTERED, "Records that were dead-lettered");
        this.notApplied = counter(registry, NOT_APPLIED, "Events that were taken in but not applied");
        this.early = new EarlyEventGauges(registry);
        this.outsideWindow = counter(registry, OUTSIDE_WINDOW, "Events older than what the inbox remembers");
        this.stopped = counter(registry, STOPPED, "Stops of consumers that must not go on");
    }

    private static MeterProvider<Counter> counter(MeterRegistry registry, String name, String description) {
        return Counter.builder(name).description(description).withRegistry(registry);
    }

    @Override
    public void processed(String consumer, UUID eventId) {
        processed.withTag(CONSUMER, consumer).increment();
    }

    @Override
    public void duplicate(String consumer, UUID eventId) {
        duplicates.withTag(CONSUMER, consumer).increment();
    }

    @Override
    public void failed(String consumer, @Nullable UUID eventId, RecordPosition position, Throwable cause) {
        failed.withTag(CONSUMER, consumer).increment();
    }

    @Override
    public void deadLettered(String consumer, @Nullable UUID eventId, RecordPosition position, Throwable cause) {
        deadLettered.withTag(CONSUMER, consumer).increment();
    }

    @Override
    public void notApplied(String consumer, UUID eventId, Verdict verdict) {
        notApplied
                .withTags(CONSUMER, consumer, VERDICT, verdict.name().toLowerCase(Locale.ROOT))
                .increment();
    }

    @Override
    public void earlyEvents(String consumer, @Nullable EarlyBacklog waiting) {
        early.set(consumer, waiting);
    }

    @Override
    public void outsideWindow(String consumer, UUID eventId, RecordPosition position, Duration age) {
        outsideWindow.withTag(CONSUMER, consumer).increment();
    }

    @Override
    public void stopped(String consumer, RecordPosition position, StopConsumerException cause) {
        stopped.withTag(CONSUMER, consumer).increment();
    }

    @Override
    public void assigned(String consumer, TopicPartition partition, DoubleSupplier lag) {
        revoked(consumer, partition);
        lags.put(
                List.of(consumer, partition),
                Gauge.builder(LAG, lag::getAsDouble)
                        .description("Age of the oldest record whose offset is not committed")
                        .baseUnit("seconds")
                        .tags(
                                CONSUMER,
                                consumer,
                                TOPIC,
                                partition.topic(),
                                PARTITION,
                                String.valueOf(partition.partition()))
                        .register(registry));
    }

    @Override
    public void revoked(String consumer, TopicPartition partition) {
        Gauge gauge = lags.remove(List.of(consumer, partition));
        if (gauge != null) {
            registry.remove(gauge);
        }
    }
}
