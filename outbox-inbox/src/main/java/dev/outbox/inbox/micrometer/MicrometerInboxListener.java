package dev.outbox.inbox.micrometer;

import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.RecordPosition;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.UUID;
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

    /** Tag with the consumer's name. */
    public static final String CONSUMER = "consumer";

    private final MeterProvider<Counter> processed;
    private final MeterProvider<Counter> duplicates;
    private final MeterProvider<Counter> failed;
    private final MeterProvider<Counter> deadLettered;

    public MicrometerInboxListener(MeterRegistry registry) {
        this.processed = counter(registry, PROCESSED, "Events whose effect was applied");
        this.duplicates = counter(registry, DUPLICATES, "Events that arrived again and were skipped");
        this.failed = counter(registry, FAILED, "Deliveries that failed, each retry included");
        this.deadLettered = counter(registry, DEAD_LETTERED, "Records that were dead-lettered");
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
}
