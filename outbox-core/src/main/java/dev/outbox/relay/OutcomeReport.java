package dev.outbox.relay;

import dev.outbox.Delivery;
import dev.outbox.OutboxListener;
import dev.outbox.Outcome;
import dev.outbox.PublishFailure;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells log and listener how deliveries ended; what failed alike takes one line a batch. */
final class OutcomeReport {

    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    private final OutboxListener listener;

    OutcomeReport(OutboxListener listener) {
        this.listener = listener;
    }

    void tell(List<Outcome> outcomes) {
        int retried = 0;
        Outcome firstRetried = null;
        for (Outcome outcome : outcomes) {
            Delivery delivery = outcome.delivery();
            PublishFailure failure = outcome.failure();
            if (failure == null) {
                if (outcome.state() == Outcome.State.PUBLISHED) {
                    listener.published(delivery);
                }
            } else if (outcome.isParked()) {
                log.error(
                        "Parked {} at attempt {}; later events of this aggregate {}: {}",
                        delivery.event(),
                        delivery.attempts() + 1,
                        outcome.state() == Outcome.State.PARKED ? "wait behind it" : "go on, out of order",
                        failure.cause().toString());
                listener.parked(delivery, failure);
            } else {
                // Of an outage the publisher tells once; here it would be a line for every batch.
                if (failure.kind() != PublishFailure.Kind.UNAVAILABLE) {
                    retried++;
                    firstRetried = firstRetried == null ? outcome : firstRetried;
                }
                listener.retried(delivery, failure);
            }
        }
        if (firstRetried != null && firstRetried.failure() != null) {
            log.warn(
                    "Not published and to be tried again: {} at attempt {}, and {} more: {}",
                    firstRetried.delivery().event(),
                    firstRetried.delivery().attempts() + 1,
                    retried - 1,
                    firstRetried.failure().cause().toString());
        }
    }
}
