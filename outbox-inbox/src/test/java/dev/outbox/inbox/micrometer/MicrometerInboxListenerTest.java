package dev.outbox.inbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.inbox.EarlyBacklog;
import dev.outbox.inbox.RecordPosition;
import dev.outbox.inbox.StopConsumerException;
import dev.outbox.inbox.Verdict;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class MicrometerInboxListenerTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerInboxListener listener = new MicrometerInboxListener(registry);

    @Test
    void everythingIsCountedPerConsumer() {
        UUID event = UUID.randomUUID();
        RecordPosition position = new RecordPosition("orders.v1", 0, 1);

        listener.processed("billing", event);
        listener.processed("billing", event);
        listener.processed("shipping", event);
        listener.duplicate("billing", event);
        listener.failed("billing", null, position, new IllegalStateException());
        listener.deadLettered("billing", null, position, new IllegalStateException());

        assertThat(count("outbox.inbox.processed", "billing")).isEqualTo(2);
        assertThat(count("outbox.inbox.processed", "shipping")).isEqualTo(1);
        assertThat(count("outbox.inbox.duplicates", "billing")).isEqualTo(1);
        assertThat(count("outbox.inbox.failed", "billing")).isEqualTo(1);
        assertThat(count("outbox.inbox.dead.lettered", "billing")).isEqualTo(1);
    }

    @Test
    void whatIsNotAppliedIsCountedByVerdict() {
        listener.notApplied("billing", UUID.randomUUID(), Verdict.STALE);
        listener.notApplied("billing", UUID.randomUUID(), Verdict.EARLY);
        listener.notApplied("billing", UUID.randomUUID(), Verdict.EARLY);

        assertThat(registry.get("outbox.inbox.not.applied")
                        .tags("consumer", "billing", "verdict", "early")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(registry.get("outbox.inbox.not.applied")
                        .tags("consumer", "billing", "verdict", "stale")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void earlyEventsAreShownAsLastSeenAndNotAtAllWhenUnknown() {
        listener.earlyEvents("billing", new EarlyBacklog(3, Duration.ofMinutes(2)));

        assertThat(registry.get("outbox.inbox.early.events")
                        .tag("consumer", "billing")
                        .gauge()
                        .value())
                .isEqualTo(3);
        assertThat(registry.get("outbox.inbox.early.oldest.age").timeGauge().value(TimeUnit.SECONDS))
                .isEqualTo(120);

        listener.earlyEvents("billing", null);

        assertThat(registry.get("outbox.inbox.early.events").gauge().value()).isNaN();
    }

    @Test
    void whatIsOutsideTheWindowAndWhatStopsIsCountedPerConsumer() {
        RecordPosition position = new RecordPosition("orders.v1", 0, 1);

        listener.outsideWindow("billing", UUID.randomUUID(), position, Duration.ofDays(9));
        listener.stopped("billing", position, new StopConsumerException("why"));

        assertThat(count("outbox.inbox.outside.window", "billing")).isEqualTo(1);
        assertThat(count("outbox.inbox.stopped", "billing")).isEqualTo(1);
    }

    @Test
    void aPartitionHasALagUntilItIsRevoked() {
        TopicPartition partition = new TopicPartition("orders.v1", 3);
        listener.assigned("billing", partition, () -> 1);
        listener.assigned("billing", partition, () -> 1.5);

        assertThat(registry.get("outbox.inbox.lag.seconds")
                        .tags("consumer", "billing", "topic", "orders.v1", "partition", "3")
                        .gauge()
                        .value())
                .isEqualTo(1.5);
        listener.revoked("billing", partition);
        listener.revoked("billing", partition);
        assertThat(registry.find("outbox.inbox.lag.seconds").gauge()).isNull();
    }

    private double count(String name, String consumer) {
        return registry.get(name).tag("consumer", consumer).counter().count();
    }
}
