package dev.outbox.autoconfigure;

import dev.outbox.Backlog;
import dev.outbox.BacklogSample;
import dev.outbox.EventPublisher;
import dev.outbox.postgresql.SchemaPreparation;
import dev.outbox.relay.BacklogSampler;
import dev.outbox.relay.Relay;
import dev.outbox.relay.RelayStatus;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Tells how the relay is, from what is known already: it asks neither database nor broker.
 *
 * <p>It is up unless a limit of {@code outbox.health} is passed. A service that can append can do its work, also while
 * nothing is published; taking it out of service would help nobody.
 */
class OutboxHealthIndicator extends AbstractHealthIndicator {

    private final Relay relay;
    private final BacklogSampler sampler;
    private final EventPublisher publisher;
    private final SchemaPreparation schema;
    private final OutboxProperties.Health limits;

    OutboxHealthIndicator(
            Relay relay,
            BacklogSampler sampler,
            EventPublisher publisher,
            SchemaPreparation schema,
            OutboxProperties.Health limits) {
        super("The health of the outbox could not be told");
        this.relay = relay;
        this.sampler = sampler;
        this.publisher = publisher;
        this.schema = schema;
        this.limits = limits;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        RelayStatus status = relay.status();
        BacklogSample sample = sampler.get();
        health.up();
        health.withDetail("relay", status.running() ? "running" : "stopped")
                .withDetail("workers", status.workers())
                .withDetail("publisher", publisher.availability().name().toLowerCase(Locale.ROOT))
                .withDetail("tables", schema.isReady() ? "ready" : "not ready");
        addBacklog(health, sample);
        addFailure(health, status);
        if (passes(age(sample), limits.maxOldestAge())) {
            health.down()
                    .withDetail(
                            "reason",
                            "the oldest event waits, or the backlog is unknown, for longer than outbox.health.max-oldest-age");
        }
        if (passes(status.failingFor(), limits.maxFailingTime())) {
            health.down().withDetail("reason", "the relay fails for longer than outbox.health.max-failing-time");
        }
    }

    private static void addBacklog(Health.Builder health, BacklogSample sample) {
        Backlog backlog = sample.backlog();
        if (backlog != null) {
            health.withDetail("backlog", backlog.waiting())
                    .withDetail("blocked", backlog.blocked())
                    .withDetail("parked", backlog.parked())
                    .withDetail("oldestAge", text(backlog.oldestAge()));
        }
        health.withDetail("backlogAge", text(sample.age()));
    }

    /** Classes alone: a message may hold anything. */
    private static void addFailure(Health.Builder health, RelayStatus status) {
        Throwable failure = status.failure();
        if (failure != null) {
            health.withDetail("failingFor", text(status.failingFor()))
                    .withDetail("failure", failure.getClass().getName());
            Throwable root = failure;
            for (int depth = 0; root.getCause() != null && depth < 50; depth++) {
                root = root.getCause();
            }
            if (root != failure) {
                health.withDetail("failureCause", root.getClass().getName());
            }
        }
    }

    /** What waited when the database was last seen still waits if it has not been seen since. */
    private static Duration age(BacklogSample sample) {
        Backlog backlog = sample.backlog();
        if (backlog == null) {
            return sample.age();
        }
        return backlog.oldestAge().isZero()
                ? Duration.ZERO
                : backlog.oldestAge().plus(sample.age());
    }

    private static boolean passes(Duration value, @Nullable Duration limit) {
        return limit != null && value.compareTo(limit) > 0;
    }

    private static String text(Duration duration) {
        return duration.truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
