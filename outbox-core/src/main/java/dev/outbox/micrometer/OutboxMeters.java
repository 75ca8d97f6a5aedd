package dev.outbox.micrometer;

import dev.outbox.Backlog;
import dev.outbox.BacklogSample;
import dev.outbox.Delivery;
import dev.outbox.OutboxListener;
import dev.outbox.PublishFailure;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Counts what the outbox does. Topics are the only tag: they are few and named by the application.
 *
 * <ul>
 *   <li>{@code outbox.appended}: events of committed transactions
 *   <li>{@code outbox.published} by {@code topic}: records acknowledged and marked
 *   <li>{@code outbox.publish.delay} by {@code topic}: from append to acknowledgement, by the clocks of database and
 *       relay
 *   <li>{@code outbox.retried} by {@code topic} and {@code kind}: failures that will be tried again
 *   <li>{@code outbox.parked.total} by {@code topic}: records parked since start
 *   <li>{@code outbox.purged}: records removed because they were older than the retention
 *   <li>{@code outbox.cycle.failures}: passes of the relay that failed as a whole
 * </ul>
 */
public final class OutboxMeters implements OutboxListener {

    private final MeterRegistry registry;
    private final Counter appended;
    private final Counter purged;
    private final Counter cycleFailures;

    public OutboxMeters(MeterRegistry registry) {
        this.registry = registry;
        this.appended = Counter.builder("outbox.appended")
                .description("Events appended by committed transactions")
                .baseUnit(BaseUnits.EVENTS)
                .register(registry);
        this.purged = Counter.builder("outbox.purged")
                .description("Records removed because they were older than the retention")
                .baseUnit(BaseUnits.EVENTS)
                .register(registry);
        this.cycleFailures = Counter.builder("outbox.cycle.failures")
                .description("Passes of the relay that failed as a whole")
                .register(registry);
    }

    /**
     * Adds the gauges {@code outbox.backlog} (events that the relay will publish), {@code outbox.blocked} (of those, the
     * ones that wait for a retry or behind another), {@code outbox.parked} (waiting for a decision) and
     * {@code outbox.oldest.age} (seconds), which have no value while nothing is known that can be believed; and
     * {@code outbox.backlog.sample.age} (seconds), the time since the database last told it.
     *
     * @param backlog answers at once
     */
    public void bindBacklog(Supplier<BacklogSample> backlog) {
        gauge("outbox.backlog", "Events that wait to be published", BaseUnits.EVENTS, backlog, Backlog::waiting);
        gauge(
                "outbox.blocked",
                "Events that wait for a retry, or behind another event of their aggregate",
                BaseUnits.EVENTS,
                backlog,
                Backlog::blocked);
        gauge("outbox.parked", "Events that wait for a decision", BaseUnits.EVENTS, backlog, Backlog::parked);
        gauge(
                "outbox.oldest.age",
                "Age of the oldest event that waits to be published",
                "seconds",
                backlog,
                found -> seconds(found.oldestAge()));
        Gauge.builder(
                        "outbox.backlog.sample.age",
                        backlog,
                        source -> seconds(source.get().age()))
                .description("Time since the backlog was last read from the database")
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry);
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }

    @Override
    public void appended(int events) {
        appended.increment(events);
    }

    @Override
    public void published(Delivery delivery) {
        String topic = delivery.event().topic();
        Timer.builder("outbox.publish.delay")
                .description("Time from append to acknowledgement")
                .tag("topic", topic)
                .register(registry)
                .record(Duration.between(delivery.createdAt(), Instant.now()));
        count("outbox.published", "Records acknowledged by the broker", topic);
    }

    @Override
    public void retried(Delivery delivery, PublishFailure failure) {
        Counter.builder("outbox.retried")
                .description("Failures to publish that will be tried again")
                .tag("topic", delivery.event().topic())
                .tag("kind", failure.kind().name().toLowerCase(java.util.Locale.ROOT))
                .register(registry)
                .increment();
    }

    @Override
    public void parked(Delivery delivery, PublishFailure failure) {
        count(
                "outbox.parked.total",
                "Records parked since start",
                delivery.event().topic());
    }

    @Override
    public void purged(int records) {
        purged.increment(records);
    }

    @Override
    public void cycleFailed(Throwable failure) {
        cycleFailures.increment();
    }

    private void count(String name, String description, String topic) {
        Counter.builder(name)
                .description(description)
                .tag("topic", topic)
                .register(registry)
                .increment();
    }

    private void gauge(
            String name,
            String description,
            String unit,
            Supplier<BacklogSample> backlog,
            ToDoubleFunction<Backlog> value) {
        Gauge.builder(name, backlog, source -> {
                    Backlog found = source.get().backlog();
                    return found == null ? Double.NaN : value.applyAsDouble(found);
                })
                .description(description)
                .baseUnit(unit)
                .strongReference(true)
                .register(registry);
    }
}
