package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class EventTest {

    @Test
    void namesTheRequiredPartThatIsMissing() {
        Event.Builder event = Event.builder();
        assertMissing(event, "aggregateType");
        event.aggregate("order", "1");
        assertMissing(event, "topic");
        event.topic("orders");
        assertMissing(event, "type");
        event.type("order.confirmed");
        assertMissing(event, "payload");
        event.payload("text");
        assertThat(event.build().payload()).isEqualTo("text");
    }

    @Test
    void doesNotFollowItsBuilder() {
        Event.Builder builder =
                Event.builder().aggregate("order", "1").topic("a").type("t").payload("p");
        Event event = builder.build();
        builder.topic("b").header("n", "v");

        assertThat(event.topic()).isEqualTo("a");
        assertThat(event.headers()).isEmpty();
    }

    @Test
    void neitherPayloadNorRecordShowTheirContent() {
        assertThat(Payload.of("text/plain", new byte[] {115, 101}).toString())
                .isEqualTo("Payload[text/plain, 2 bytes]");
        assertThat(Deliveries.of(1, "orders", "4711").toString()).doesNotContain("secret");
        assertThat(Deliveries.of(1, "orders", "4711").event().toString())
                .isEqualTo("event 00000000-0000-0000-0000-000000000001 (order.confirmed of order 4711, topic orders)");
    }

    private static void assertMissing(Event.Builder event, String field) {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(event::build)
                .withMessage(field + ": missing");
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without null checks may do
    void aHeaderWithoutAValueIsRefusedByName() {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> Event.builder().header("tenant", null))
                .withMessage("header 'tenant': missing");
    }
}
