package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.outbox.Deliveries;
import dev.outbox.Delivery;
import dev.outbox.EventPublisher;
import dev.outbox.OutboxListener;
import dev.outbox.Outcome;
import dev.outbox.PublishFailure;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One pass, with acknowledgements given by hand. */
class RelayCycleTest {

    private final HandMadePublisher publisher = new HandMadePublisher();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Boolean> result = new CompletableFuture<>();
    private HandMadeStore store = new HandMadeStore(List::of);
    private Thread thread = new Thread(() -> {});

    @AfterEach
    void stop() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }

    @Test
    void marksNothingBeforeItsAcknowledgement() throws Exception {
        run(Deliveries.of(1, "orders", "a"), Deliveries.of(2, "orders", "b"));
        await().until(() -> publisher.sent.equals(List.of(1L, 2L)));
        assertThat(store.recorded).isEmpty();

        publisher.acknowledge(2);
        await().until(() -> published().equals(List.of(2L)));
        publisher.acknowledge(1);

        assertThat(result.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(published()).containsExactly(2L, 1L);
        assertThat(told).containsExactly("published 2", "published 1");
    }

    @Test
    void sendsTheNextRecordOfAnAggregateOnlyAfterTheAcknowledgementOfTheOneBeforeIt() throws Exception {
        run(Deliveries.of(1, "orders", "a"), Deliveries.of(2, "orders", "a"), Deliveries.of(3, "orders", "b"));
        await().until(() -> publisher.sent.equals(List.of(1L, 3L)));

        publisher.acknowledge(3);
        await().until(() -> published().equals(List.of(3L)));
        assertThat(publisher.sent).doesNotContain(2L);

        publisher.acknowledge(1);
        await().until(() -> publisher.sent.contains(2L));
        publisher.acknowledge(2);
        assertThat(result.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aFailureEndsTheTurnOfItsAggregateAndOfNoOther() throws Exception {
        run(Deliveries.of(1, "orders", "a"), Deliveries.of(2, "orders", "a"), Deliveries.of(3, "orders", "b"));
        await().until(() -> publisher.sent.size() == 2);
        publisher.fail(1, PublishFailure.Kind.TRANSIENT);
        publisher.acknowledge(3);

        assertThat(result.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(publisher.sent).containsExactly(1L, 3L);
        assertThat(store.recorded)
                .extracting(outcome -> outcome.delivery().seq(), Outcome::state)
                .containsExactlyInAnyOrder(
                        tuple(1L, Outcome.State.RETRY),
                        tuple(2L, Outcome.State.BEHIND),
                        tuple(3L, Outcome.State.PUBLISHED));
    }

    @Test
    void tellsWhatFailedAndHow() throws Exception {
        run(Deliveries.of(1, "orders", "a"), Deliveries.of(2, "orders", "b"), Deliveries.of(3, "orders", "c"));
        await().until(() -> publisher.sent.size() == 3);
        publisher.fail(1, PublishFailure.Kind.PERMANENT);
        publisher.fail(2, PublishFailure.Kind.UNAVAILABLE);
        publisher.fail(3, PublishFailure.Kind.TRANSIENT);

        assertThat(result.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(told).containsExactlyInAnyOrder("parked 1", "retried 2 UNAVAILABLE", "retried 3 TRANSIENT");
    }

    @Test
    void sendsNothingMoreWhenItStopsAndMarksWhatIsAcknowledged() throws Exception {
        run(Deliveries.of(1, "orders", "a"), Deliveries.of(2, "orders", "a"));
        await().until(() -> publisher.sent.equals(List.of(1L)));
        stopping.set(true);
        publisher.acknowledge(1);

        assertThat(result.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(publisher.sent).containsExactly(1L);
        assertThat(published()).containsExactly(1L);
        assertThat(store.closed).hasValue(1);
    }

    @Test
    void marksWhatIsKnownAndGivesTheLanesBackWhenItIsInterrupted() throws Exception {
        run(Deliveries.of(1, "orders", "a"), Deliveries.of(2, "orders", "b"));
        await().until(() -> publisher.sent.size() == 2);
        publisher.acknowledge(1);
        await().until(() -> published().equals(List.of(1L)));
        thread.interrupt();
        thread.join();

        assertThat(result).isCompletedExceptionally();
        assertThat(published()).containsExactly(1L);
        assertThat(store.closed).hasValue(1);
    }

    @Test
    void preparesThePublisherForTheTopicsOfTheBatch() throws Exception {
        run(Deliveries.of(1, "orders", "a"), Deliveries.of(2, "invoices", "b"));
        await().until(() -> publisher.sent.size() == 2);
        publisher.acknowledge(1);
        publisher.acknowledge(2);

        assertThat(result.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(publisher.prepared).containsExactlyInAnyOrder("orders", "invoices");
    }

    @Test
    void claimsNothingWhileNoTopicTakesRecords() throws Exception {
        publisher.availability = EventPublisher.Availability.UNAVAILABLE;
        run(Deliveries.of(1, "orders", "a"));

        assertThat(result.get(10, TimeUnit.SECONDS)).isFalse();
        assertThat(store.claims).hasValue(0);
    }

    @Test
    void tellsThatNoLaneCouldBeClaimedAndGivesTheClaimBack() throws Exception {
        run();

        assertThat(result.get(10, TimeUnit.SECONDS)).isFalse();
        assertThat(store.closed).hasValue(1);
    }

    private void run(Delivery... batch) {
        store = new HandMadeStore(() -> List.of(batch));
        Marker marker = new Marker(Thread::new, new OutcomeReport(new Noting()));
        RelayCycle cycle = new RelayCycle(store, publisher, null, RelaySettings.defaults(), marker, stopping::get);
        thread = new Thread(() -> {
            try {
                result.complete(cycle.run(true) == RelayCycle.Pass.WORKED);
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        thread.start();
    }

    private List<Long> published() {
        return store.recorded.stream()
                .filter(outcome -> outcome.state() == Outcome.State.PUBLISHED)
                .map(outcome -> outcome.delivery().seq())
                .toList();
    }

    private final class Noting implements OutboxListener {

        @Override
        public void published(Delivery delivery) {
            told.add("published " + delivery.seq());
        }

        @Override
        public void retried(Delivery delivery, PublishFailure failure) {
            told.add("retried " + delivery.seq() + " " + failure.kind());
        }

        @Override
        public void parked(Delivery delivery, PublishFailure failure) {
            told.add("parked " + delivery.seq());
        }
    }
}
