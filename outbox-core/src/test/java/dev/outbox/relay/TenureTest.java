package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.outbox.Deliveries;
import dev.outbox.Delivery;
import dev.outbox.EventPublisher;
import dev.outbox.Ordering;
import dev.outbox.OutboxListener;
import dev.outbox.Outcome;
import dev.outbox.PublishFailure.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a worker does while it holds its lanes, with reads and acknowledgements given by hand. */
class TenureTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    private final HandMadePublisher publisher = new HandMadePublisher();
    private final Queue<List<Delivery>> later = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<RelayCycle.Pass> result = new CompletableFuture<>();
    private HandMadeStore store = new HandMadeStore(List::of);
    private RelaySettings.Parking parking = RelaySettings.Parking.defaults();
    private Thread thread = new Thread(() -> {});

    @AfterEach
    void stop() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }

    @Test
    void readsOnWhileWhatItReadBeforeIsUnderWay() {
        start(Ordering.STRICT, LONG, Deliveries.of(1, "orders", "a"));
        awaitSent(1);
        read(Deliveries.of(2, "orders", "b"));

        awaitSent(1, 2);
        publisher.acknowledge(2);
        await().until(() -> states().contains(tuple(2L, Outcome.State.PUBLISHED)));
        assertThat(result).isNotDone();
        publisher.acknowledge(1);
        assertThat(end()).isEqualTo(RelayCycle.Pass.WORKED);
    }

    @Test
    void whatIsReadLaterOfAnAggregateWaitsForTheAcknowledgementOfWhatCameBefore() {
        start(Ordering.STRICT, LONG, Deliveries.of(1, "orders", "a"));
        awaitSent(1);
        read(Deliveries.of(2, "orders", "a"), Deliveries.of(3, "orders", "b"));
        awaitSent(1, 3);

        publisher.acknowledge(1);
        awaitSent(1, 3, 2);
        publisher.acknowledge(2);
        publisher.acknowledge(3);
        end();
    }

    @Test
    void whatIsReadLaterOfAnAggregateThatFailedGoesBehindIt() {
        start(Ordering.STRICT, LONG, Deliveries.of(1, "orders", "a"), Deliveries.of(9, "orders", "keeps it going"));
        awaitSent(1, 9);
        store.beforeRecord = readDuringTheFirstMark(Deliveries.of(2, "orders", "a"));
        publisher.fail(1, Kind.TRANSIENT);
        await().until(() -> states().contains(tuple(2L, Outcome.State.BEHIND)) || publisher.sent.contains(2L));

        assertThat(publisher.sent).doesNotContain(2L);
        publisher.acknowledge(9);
        end();
        assertThat(states()).startsWith(tuple(1L, Outcome.State.RETRY));
    }

    @Test
    void onceTheFailureIsWrittenDownTheDatabaseTellsHowTheAggregateGoesOn() {
        start(Ordering.STRICT, LONG, Deliveries.of(1, "orders", "a"), Deliveries.of(9, "orders", "keeps it going"));
        awaitSent(1, 9);
        publisher.fail(1, Kind.TRANSIENT);
        await().until(() -> states().contains(tuple(1L, Outcome.State.RETRY)));
        read(Deliveries.of(1, 1, "orders", "a"), Deliveries.of(2, "orders", "a"));

        awaitSent(1, 9, 1);
        publisher.acknowledge(1);
        awaitSent(1, 9, 1, 2);
        publisher.acknowledge(2);
        publisher.acknowledge(9);
        end();
    }

    @Test
    void anAggregateGoesOnBehindAParkedRecordThatIsPassedOver() {
        parking = new RelaySettings.Parking(Set.of("orders"), Set.of());
        start(Ordering.STRICT, LONG, Deliveries.of(1, "orders", "a"), Deliveries.of(2, "orders", "a"));
        awaitSent(1);
        publisher.fail(1, Kind.PERMANENT);
        awaitSent(1, 2);
        publisher.acknowledge(2);

        end();
        assertThat(states())
                .containsExactlyInAnyOrder(tuple(1L, Outcome.State.PASSED_OVER), tuple(2L, Outcome.State.PUBLISHED));
    }

    @Test
    void sendsNothingOfAPausedTopicNorWhatStandsBehindIt() {
        start(
                Ordering.STRICT,
                LONG,
                Set.of("paused"),
                Deliveries.of(1, "paused", "a"),
                Deliveries.of(2, "orders", "a"),
                Deliveries.of(3, "orders", "b"),
                Deliveries.of(4, "paused", "b"));
        awaitSent(3);
        publisher.acknowledge(3);

        end();
        assertThat(publisher.sent).containsExactly(3L);
        assertThat(states())
                .containsExactlyInAnyOrder(
                        tuple(1L, Outcome.State.DEFERRED),
                        tuple(2L, Outcome.State.BEHIND),
                        tuple(3L, Outcome.State.PUBLISHED),
                        tuple(4L, Outcome.State.DEFERRED));
    }

    @Test
    void pipelinedOrderSendsAnAggregateTogetherAndAFailureHoldsBackOnlyWhatIsReadAfterIt() {
        start(Ordering.PIPELINED, LONG, Deliveries.of(1, "orders", "a"), Deliveries.of(2, "orders", "a"));
        awaitSent(1, 2);
        store.beforeRecord = readDuringTheFirstMark(Deliveries.of(3, "orders", "a"));
        publisher.fail(1, Kind.TRANSIENT);
        await().until(() -> states().contains(tuple(3L, Outcome.State.BEHIND)));
        publisher.acknowledge(2);

        end();
        assertThat(states())
                .containsExactlyInAnyOrder(
                        tuple(1L, Outcome.State.RETRY),
                        tuple(2L, Outcome.State.PUBLISHED),
                        tuple(3L, Outcome.State.BEHIND));
    }

    @Test
    void withoutOrderAFailureHoldsBackNothing() {
        start(Ordering.NONE, LONG, Deliveries.of(1, "orders", "a"), Deliveries.of(2, "orders", "a"));
        awaitSent(1, 2);
        publisher.fail(1, Kind.TRANSIENT);
        read(Deliveries.of(3, "orders", "a"));
        awaitSent(1, 2, 3);
        publisher.acknowledge(2);
        publisher.acknowledge(3);
        end();
    }

    @Test
    void aSlowRecordKeepsNobodyWaitingWhenTheTimeIsOver() {
        start(Ordering.STRICT, Duration.ofMillis(50), Deliveries.of(1, "orders", "a"));
        awaitSent(1);
        await().until(() -> store.extended.get() > 0);
        read(Deliveries.of(2, "orders", "b"));

        awaitSent(1, 2);
        publisher.acknowledge(1);
        publisher.acknowledge(2);
        end();
    }

    @Test
    void endsWhenItsTimeIsOverHoweverMuchThereIs() {
        store = new HandMadeStore(() -> List.of(Deliveries.of(1, "orders", "a")));
        store.more = () -> List.of(Deliveries.of(System.nanoTime(), "orders", "b" + System.nanoTime()));
        publisher.acknowledgesAll = true;
        run(Ordering.STRICT, Duration.ofMillis(100));

        assertThat(end()).isEqualTo(RelayCycle.Pass.WORKED);
        assertThat(store.claims).hasValue(1);
    }

    @Test
    void neverHoldsMoreThanIsAllowed() {
        store = new HandMadeStore(() -> List.of(Deliveries.of(1, "orders", "a")));
        run(Ordering.STRICT, LONG);
        awaitSent(1);
        for (int seq = 2; seq <= 60; seq++) {
            read(Deliveries.of(seq, "orders", "a" + seq));
        }
        await().until(() -> publisher.sent.size() >= 15);

        assertThat(store.reads)
                .allSatisfy(limits -> assertThat(limits.records()).isBetween(1, 10));
        await().during(Duration.ofMillis(300)).until(() -> publisher.sent.size() <= 20);
        publisher.acknowledgesAll = true;
        publisher.acknowledgeAll();
        end();
    }

    @Test
    void sendsNothingMoreWhenItsLanesAreLost() {
        start(Ordering.STRICT, LONG, Deliveries.of(1, "orders", "a"), Deliveries.of(2, "orders", "a"));
        awaitSent(1);
        store.held = false;
        publisher.acknowledge(1);

        end();
        assertThat(publisher.sent).containsExactly(1L);
        assertThat(states()).containsExactly(tuple(1L, Outcome.State.PUBLISHED));
    }

    @Test
    void aMarkThatFailsIsTriedAgainAndNothingIsPublishedTwice() {
        store = new HandMadeStore(() -> List.of(Deliveries.of(1, "orders", "a")));
        int[] tries = new int[1];
        store.beforeRecord = () -> {
            if (++tries[0] == 1) {
                throw new IllegalStateException("connection lost");
            }
        };
        run(Ordering.STRICT, LONG);
        awaitSent(1);
        publisher.acknowledge(1);

        assertThat(end()).isEqualTo(RelayCycle.Pass.WORKED);
        assertThat(states()).containsExactly(tuple(1L, Outcome.State.PUBLISHED));
    }

    @Test
    void readsOneRecordWhileAnOutageIsProbed() {
        publisher.availability = EventPublisher.Availability.PROBING;
        start(Ordering.STRICT, LONG, Deliveries.of(1, "orders", "a"));
        awaitSent(1);
        assertThat(store.reads).extracting("records").containsOnly(1);
        publisher.availability = EventPublisher.Availability.UNAVAILABLE;
        publisher.fail(1, Kind.UNAVAILABLE);

        end();
        assertThat(store.reads).hasSize(1);
    }

    private void start(Ordering ordering, Duration tenure, Delivery... batch) {
        start(ordering, tenure, Set.of(), batch);
    }

    private void start(Ordering ordering, Duration tenure, Set<String> paused, Delivery... batch) {
        store = new HandMadeStore(() -> List.of(batch));
        store.paused = paused;
        run(ordering, tenure);
    }

    private void run(Ordering ordering, Duration tenure) {
        if (store.more.get().isEmpty()) {
            store.more = () -> later.isEmpty() ? List.of() : later.remove();
        }
        RelaySettings settings = new RelaySettings(
                new RelaySettings.Claims(1, 16, tenure),
                new RelaySettings.Flow(ordering, 10, 1_000_000, 20, 1_000_000),
                RelaySettings.Polling.defaults(),
                RelaySettings.Retry.defaults(),
                parking,
                RelaySettings.DEFAULT_SHUTDOWN_TIMEOUT);
        Marker marker = new Marker(Relay::daemon, new OutcomeReport(new OutboxListener() {}));
        RelayCycle cycle = new RelayCycle(store, publisher, null, settings, marker, () -> false);
        thread = new Thread(() -> {
            try {
                result.complete(cycle.run(true));
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        thread.start();
    }

    /** What the next read finds. */
    private void read(Delivery... batch) {
        later.add(List.of(batch));
    }

    private Runnable readDuringTheFirstMark(Delivery delivery) {
        AtomicBoolean first = new AtomicBoolean(true);
        return () -> {
            if (first.compareAndSet(true, false)) {
                read(delivery);
                await().until(later::isEmpty);
            }
        };
    }

    private void awaitSent(long... seqs) {
        await().untilAsserted(() -> assertThat(
                        publisher.sent.stream().mapToLong(Long::longValue).toArray())
                .containsExactly(seqs));
    }

    private List<Tuple> states() {
        return store.recorded.stream()
                .map(outcome -> tuple(outcome.delivery().seq(), outcome.state()))
                .toList();
    }

    private RelayCycle.Pass end() {
        try {
            return result.get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("the tenure has not ended well", e);
        }
    }
}
