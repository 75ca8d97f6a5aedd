package dev.outbox.inbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.PermanentEventException;
import dev.outbox.inbox.RecordPosition;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AggregateTest {

    private static final ConsumerName BILLING = new ConsumerName("billing");

    private final Map<String, String> attributes =
            new HashMap<>(Map.of("aggregatetype", "order", "subject", "o-1", "aggregateversion", "7"));

    @Test
    void itIsReadFromTheEnvelope() {
        assertThat(Aggregate.of(BILLING, event())).isEqualTo(new Aggregate(BILLING, "order", "o-1"));
        assertThat(Aggregate.versionOf(event())).isEqualTo(7);
    }

    @Test
    void whatIsMissingIsNamed() {
        for (String attribute : Map.copyOf(attributes).keySet()) {
            String value = attributes.remove(attribute);
            refused("no attribute " + attribute);
            attributes.put(attribute, value);
        }
        attributes.put("aggregateversion", "seven");
        refused("aggregateversion of the event is not a whole number");
    }

    @Test
    void textThatTheDatabaseDoesNotStoreIsRefused() {
        for (String text : new String[] {"a\u0000b", "a\uD800"}) {
            attributes.put("subject", text);
            refused("The attribute subject");
        }
        attributes.put("subject", "\uD83D\uDE00");
        assertThat(Aggregate.of(BILLING, event()).id()).isEqualTo("\uD83D\uDE00");
    }

    @Test
    void textThatIsTooLongForAnIndexIsRefused() {
        attributes.put("subject", "x".repeat(Aggregate.MAX_BYTES - "order".length()));
        Aggregate.of(BILLING, event());

        attributes.put("subject", "x".repeat(Aggregate.MAX_BYTES));
        refused("have 2005 bytes together");
    }

    private void refused(String reason) {
        assertThatExceptionOfType(PermanentEventException.class)
                .isThrownBy(() -> {
                    Aggregate.of(BILLING, event());
                    Aggregate.versionOf(event());
                })
                .withMessageContaining(reason);
    }

    private EventMetadata event() {
        return new EventMetadata(UUID.randomUUID(), attributes, new RecordPosition("orders.v1", 0, 0));
    }
}
