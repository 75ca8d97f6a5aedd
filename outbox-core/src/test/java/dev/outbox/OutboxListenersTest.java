package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboxListenersTest {

    private final List<String> calls = new ArrayList<>();
    private final Delivery delivery = Deliveries.of(1, "orders", "1");
    private final PublishFailure failure =
            new PublishFailure(PublishFailure.Kind.TRANSIENT, new IllegalStateException("no luck"));

    @Test
    void aListenerThatThrowsStopsNeitherTheOthersNorTheCaller() {
        OutboxListeners listeners = new OutboxListeners(List.of(new Throwing(), new Noting()));

        listeners.appended(3);
        listeners.published(delivery);
        listeners.retried(delivery, failure);
        listeners.parked(delivery, failure);
        listeners.purged(4);
        listeners.cycleFailed(failure.cause());

        assertThat(calls).containsExactly("appended 3", "published", "retried", "parked", "purged 4", "cycle failed");
    }

    private final class Noting implements OutboxListener {

        @Override
        public void appended(int events) {
            calls.add("appended " + events);
        }

        @Override
        public void published(Delivery published) {
            calls.add("published");
        }

        @Override
        public void retried(Delivery retried, PublishFailure cause) {
            calls.add("retried");
        }

        @Override
        public void parked(Delivery parked, PublishFailure cause) {
            calls.add("parked");
        }

        @Override
        public void purged(int records) {
            calls.add("purged " + records);
        }

        @Override
        public void cycleFailed(Throwable cause) {
            calls.add("cycle failed");
        }
    }

    private static final class Throwing implements OutboxListener {

        @Override
        public void appended(int events) {
            throw new IllegalStateException("appended");
        }

        @Override
        public void published(Delivery published) {
            throw new IllegalStateException("published");
        }

        @Override
        public void retried(Delivery retried, PublishFailure cause) {
            throw new IllegalStateException("retried");
        }

        @Override
        public void parked(Delivery parked, PublishFailure cause) {
            throw new IllegalStateException("parked");
        }

        @Override
        public void purged(int records) {
            throw new IllegalStateException("purged");
        }

        @Override
        public void cycleFailed(Throwable cause) {
            throw new IllegalStateException("cycle failed");
        }
    }
}
