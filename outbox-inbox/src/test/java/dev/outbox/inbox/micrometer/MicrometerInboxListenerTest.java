package dev.outbox.inbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.inbox.RecordPosition;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.UUID;
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

    private double count(String name, String consumer) {
        return registry.get(name).tag("consumer", consumer).counter().count();
    }
}
