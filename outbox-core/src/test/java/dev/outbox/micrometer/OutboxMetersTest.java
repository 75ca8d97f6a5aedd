package dev.outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Backlog;
import dev.outbox.BacklogSample;
import dev.outbox.Deliveries;
import dev.outbox.PublishFailure;
import dev.outbox.PublishFailure.Kind;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class OutboxMetersTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void countsByTopicWhatBecameOfRecords() {
        use(registry);

        assertThat(registry.get("outbox.appended").counter().count()).isEqualTo(5);
        assertThat(count("outbox.published", "topic", "orders")).isEqualTo(2);
        assertThat(count("outbox.published", "topic", "invoices")).isEqualTo(1);
        assertThat(registry.get("outbox.publish.delay")
                        .tag("topic", "orders")
                        .timer()
                        .count())
                .isEqualTo(2);
        assertThat(registry.get("outbox.publish.delay")
                        .tag("topic", "orders")
                        .timer()
                        .max(TimeUnit.DAYS))
                .isGreaterThan(1);
        assertThat(count("outbox.retried", "topic", "orders", "kind", "transient"))
                .isEqualTo(1);
        assertThat(count("outbox.retried", "topic", "orders", "kind", "unavailable"))
                .isEqualTo(1);
        assertThat(count("outbox.parked.total", "topic", "orders")).isEqualTo(1);
        assertThat(registry.get("outbox.purged").counter().count()).isEqualTo(7);
        assertThat(registry.get("outbox.cycle.failures").counter().count()).isEqualTo(1);
    }

    @Test
    void showsTheLatestBacklog() {
        AtomicReference<BacklogSample> sample = new AtomicReference<>(new BacklogSample(null, Duration.ZERO));
        new OutboxMeters(registry).bindBacklog(sample::get);
        sample.set(new BacklogSample(new Backlog(10, 3, 2, Duration.ofMillis(1_500)), Duration.ofSeconds(4)));

        assertThat(gauge("outbox.backlog")).isEqualTo(10);
        assertThat(gauge("outbox.blocked")).isEqualTo(3);
        assertThat(gauge("outbox.parked")).isEqualTo(2);
        assertThat(gauge("outbox.oldest.age")).isEqualTo(1.5);
        assertThat(gauge("outbox.backlog.sample.age")).isEqualTo(4);
    }

    @Test
    void showsNoNumberThatNobodyKnows() {
        new OutboxMeters(registry).bindBacklog(() -> new BacklogSample(null, Duration.ofMinutes(2)));

        assertThat(gauge("outbox.backlog")).isNaN();
        assertThat(gauge("outbox.blocked")).isNaN();
        assertThat(gauge("outbox.parked")).isNaN();
        assertThat(gauge("outbox.oldest.age")).isNaN();
        assertThat(gauge("outbox.backlog.sample.age")).isEqualTo(120);
    }

    @Test
    void noTwoMetersHaveOneNameInPrometheus() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        use(prometheus);
        new OutboxMeters(prometheus)
                .bindBacklog(
                        () -> new BacklogSample(new Backlog(10, 3, 2, Duration.ofSeconds(1)), Duration.ofSeconds(5)));

        assertThat(prometheus.scrape())
                .contains(
                        "outbox_appended_events_total 5.0",
                        "outbox_published_total{topic=\"orders\"} 2.0",
                        "outbox_parked_total{topic=\"orders\"} 1.0",
                        "outbox_parked_events 2.0",
                        "outbox_backlog_events 10.0",
                        "outbox_blocked_events 3.0",
                        "outbox_oldest_age_seconds 1.0",
                        "outbox_purged_events_total 7.0",
                        "outbox_backlog_sample_age_seconds 5.0",
                        "outbox_cycle_failures_total 1.0");
        assertThat(prometheus.scrape("application/openmetrics-text")).contains("outbox_parked_total", "# EOF");
    }

    private static void use(MeterRegistry registry) {
        OutboxMeters meters = new OutboxMeters(registry);
        meters.appended(2);
        meters.appended(3);
        meters.published(Deliveries.of(1, "orders", "a"));
        meters.published(Deliveries.of(2, "orders", "a"));
        meters.published(Deliveries.of(3, "invoices", "a"));
        meters.retried(Deliveries.of(4, "orders", "b"), failure(Kind.TRANSIENT));
        meters.retried(Deliveries.of(4, "orders", "b"), failure(Kind.UNAVAILABLE));
        meters.parked(Deliveries.of(4, "orders", "b"), failure(Kind.PERMANENT));
        meters.purged(7);
        meters.cycleFailed(new IllegalStateException("database down"));
    }

    private static PublishFailure failure(Kind kind) {
        return new PublishFailure(kind, new IllegalStateException("no luck"));
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }
}
