package dev.outbox.relay;

import dev.outbox.Delivery;
import dev.outbox.DeliveryStore;
import dev.outbox.EventPublisher;
import dev.outbox.Outcome;
import dev.outbox.PublishFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes one batch: different aggregates at once, of each aggregate one record after the other.
 *
 * <p>The next record of an aggregate is sent only when the one before it is acknowledged. With two of them under way the
 * second would overtake the first as soon as that one fails alone. A failure ends its aggregate's turn.
 */
final class Dispatch {

    private static final Logger log = LoggerFactory.getLogger(Dispatch.class);

    private static final int RECORD_AT = 500;
    private static final Duration RECORD_EVERY = Duration.ofMillis(50);
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final DeliveryStore.Claim claim;
    private final EventPublisher publisher;
    private final OutcomeReport report;
    private final FailurePolicy failurePolicy;
    private final BooleanSupplier stopping;

    private final LinkedBlockingQueue<Completion> completions = new LinkedBlockingQueue<>();
    private final List<Outcome> unrecorded = new ArrayList<>();
    private long recordedAt = System.nanoTime();
    private int inFlight;

    Dispatch(
            DeliveryStore.Claim claim,
            EventPublisher publisher,
            FailurePolicy failurePolicy,
            OutcomeReport report,
            BooleanSupplier stopping) {
        this.claim = claim;
        this.publisher = publisher;
        this.failurePolicy = failurePolicy;
        this.report = report;
        this.stopping = stopping;
    }

    /** Returns when every record that was sent has its outcome written down. */
    void deliver(List<Delivery> deliveries) throws InterruptedException {
        publisher.prepare(
                deliveries.stream().map(delivery -> delivery.event().topic()).collect(Collectors.toSet()));
        Map<Long, Deque<Delivery>> aggregates = new LinkedHashMap<>();
        deliveries.forEach(delivery -> aggregates
                .computeIfAbsent(delivery.aggregateHash(), hash -> new ArrayDeque<>())
                .add(delivery));
        try {
            aggregates.values().forEach(this::publishNext);
            while (inFlight > 0) {
                Completion completion = nextCompletion();
                if (completion == null) {
                    log.error(
                            "The publisher has not told the end of {} records within {} ms; they will be published again",
                            inFlight,
                            publisher.publishTimeout());
                    return;
                }
                settle(completion);
            }
        } finally {
            record();
        }
    }

    private void publishNext(Deque<Delivery> aggregate) {
        Delivery delivery = aggregate.poll();
        if (delivery != null && !stopping.getAsBoolean()) {
            inFlight++;
            publisher.publish(delivery, failure -> completions.add(new Completion(delivery, aggregate, failure)));
        }
    }

    private void settle(Completion completion) {
        inFlight--;
        if (completion.failure == null) {
            unrecorded.add(Outcome.published(completion.delivery));
            publishNext(completion.rest);
        } else {
            unrecorded.add(failurePolicy.outcome(completion.delivery, completion.failure));
        }
        if (unrecorded.size() >= RECORD_AT || System.nanoTime() - recordedAt >= RECORD_EVERY.toNanos()) {
            record();
        }
    }

    /** Uses the time of waiting to write down what is known. */
    private @Nullable Completion nextCompletion() throws InterruptedException {
        Completion completion = completions.poll(RECORD_EVERY.toNanos(), TimeUnit.NANOSECONDS);
        if (completion == null) {
            record();
            completion = completions.poll(publisher.publishTimeout() + GRACE.toMillis(), TimeUnit.MILLISECONDS);
        }
        return completion;
    }

    private void record() {
        recordedAt = System.nanoTime();
        if (!unrecorded.isEmpty()) {
            List<Outcome> outcomes = List.copyOf(unrecorded);
            unrecorded.clear();
            claim.record(outcomes);
            report.tell(outcomes);
        }
    }

    private record Completion(
            Delivery delivery,
            Deque<Delivery> rest,
            @Nullable PublishFailure failure) {}
}
