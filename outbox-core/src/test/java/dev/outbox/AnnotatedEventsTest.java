package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AnnotatedEventsTest {

    private final AnnotatedEvents events = new AnnotatedEvents();

    @OutboxEvent(type = "sales.order.confirmed", topic = "orders.v1", schemaVersion = 3)
    record OrderConfirmed(
            @AggregateId UUID orderId, @AggregateVersion long version, long amount) {}

    @OutboxEvent(type = "order.opened", topic = "orders.v1", aggregateType = "purchase")
    record OrderOpened(
            @AggregateId long orderId, @AggregateVersion Integer version) {}

    @OutboxEvent(type = "happened", topic = "facts")
    record Happened(@AggregateId String id) {}

    @OutboxEvent(type = "a.b", topic = "t")
    record WithoutId(String id) {}

    @OutboxEvent(type = "a.b", topic = "t")
    record WithTwoIds(
            @AggregateId String first, @AggregateId String second) {}

    @OutboxEvent(type = "a.b", topic = "t")
    record WithTwoVersions(
            @AggregateId String id,
            @AggregateVersion int first,
            @AggregateVersion int second) {}

    @OutboxEvent(type = "a.b", topic = "t")
    record WithTextVersion(
            @AggregateId String id, @AggregateVersion String version) {}

    @OutboxEvent(type = "a.b", topic = "t")
    record Nullables(
            @AggregateId @Nullable String id,
            @AggregateVersion @Nullable Long version) {}

    @OutboxEvent(type = "a.b", topic = "t")
    record Unreadable(@AggregateId String id) {

        @Override
        public String id() {
            throw new IllegalStateException("no id today");
        }
    }

    record NotAnnotated(@AggregateId String id) {}

    @OutboxEvent(type = "a.b", topic = "t")
    static final class NotARecord {}

    @Test
    void readsAllPartsOfAnAnnotatedRecord() {
        UUID id = UUID.randomUUID();
        OrderConfirmed source = new OrderConfirmed(id, 7, 100);

        Event event = events.read(source);

        assertThat(event.id()).isNull();
        assertThat(event.topic()).isEqualTo("orders.v1");
        assertThat(event.type()).isEqualTo(new EventType("sales.order.confirmed", 3));
        assertThat(event.aggregate()).isEqualTo(new Aggregate("sales.order", id.toString(), 7L));
        assertThat(event.payload()).isSameAs(source);
        assertThat(event.headers()).isEmpty();
    }

    @Test
    void takesAnAggregateTypeOfItsOwnAndAnIntVersion() {
        assertThat(events.read(new OrderOpened(42, 1)).aggregate()).isEqualTo(new Aggregate("purchase", "42", 1L));
    }

    @Test
    void aTypeWithoutADotIsItsAggregateType() {
        assertThat(events.read(new Happened("1")).aggregate()).isEqualTo(new Aggregate("happened", "1", null));
        assertThat(events.read(new Happened("1")).type().schemaVersion()).isEqualTo(1);
    }

    @Test
    void refusesWhatIsNoAnnotatedRecord() {
        assertRefused(new NotAnnotated("1"), "neither a dev.outbox.Event nor a record annotated with @OutboxEvent");
        assertRefused(new NotARecord(), "neither a dev.outbox.Event nor a record annotated with @OutboxEvent");
        assertRefused("text", "java.lang.String is neither");
    }

    @Test
    void refusesARecordWhoseComponentsAreNotClear() {
        assertRefused(new WithoutId("1"), "no component of " + WithoutId.class.getName());
        assertRefused(new WithTwoIds("1", "2"), "annotated with @AggregateId; one is allowed");
        assertRefused(new WithTwoVersions("1", 1, 2), "annotated with @AggregateVersion; one is allowed");
        assertRefused(new WithTextVersion("1", "1"), "component version of " + WithTextVersion.class.getName());
    }

    @Test
    void namesTheComponentThatIsNullOrUnreadable() {
        assertRefused(new Nullables(null, 1L), "id: null in " + Nullables.class.getName());
        assertRefused(new Nullables("1", null), "version: null in " + Nullables.class.getName());
        assertRefused(new Unreadable("1"), "id of " + Unreadable.class.getName() + " can't be read");
    }

    private void assertRefused(Object source, String message) {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> events.read(source))
                .withMessageContaining(message);
    }
}
