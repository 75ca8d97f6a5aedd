package dev.outbox.relay;

import dev.outbox.Delivery;
import dev.outbox.OutboxRecord;
import dev.outbox.Outcome;
import dev.outbox.PublishFailure;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Decides what follows from a failure. */
final class FailurePolicy {

    private static final double DOUBLING = 2;
    private static final double JITTER = 0.5;

    private final RelaySettings.Parking parking;
    private final int maxAttempts;
    private final IntervalFunction retryLimit;
    private final IntervalFunction unavailableDelay;

    FailurePolicy(RelaySettings settings) {
        RelaySettings.Retry retry = settings.retry();
        this.parking = settings.parking();
        this.maxAttempts = retry.maxAttempts();
        this.retryLimit = IntervalFunction.ofExponentialBackoff(retry.initialDelay(), DOUBLING, retry.maxDelay());
        this.unavailableDelay = IntervalFunction.ofRandomized(retry.unavailableDelay(), JITTER);
    }

    Outcome outcome(Delivery delivery, PublishFailure failure) {
        int attempts = delivery.attempts() + 1;
        return switch (failure.kind()) {
            case PERMANENT -> parked(delivery, failure);
            case UNAVAILABLE ->
                new Outcome(delivery, Outcome.State.DEFERRED, Duration.ofMillis(unavailableDelay.apply(1)), failure);
            case TRANSIENT ->
                attempts < maxAttempts
                        ? new Outcome(delivery, Outcome.State.RETRY, fullJitter(attempts), failure)
                        : parked(delivery, failure);
        };
    }

    private Outcome parked(Delivery delivery, PublishFailure failure) {
        OutboxRecord event = delivery.event();
        boolean goesOn = parking.topics().contains(event.topic())
                || parking.eventTypes().contains(event.type().name());
        Outcome.State state = goesOn ? Outcome.State.PASSED_OVER : Outcome.State.PARKED;
        return new Outcome(delivery, state, Duration.ZERO, failure);
    }

    /** Spreads retries most evenly: AWS Architecture Blog, "Exponential Backoff And Jitter". */
    private Duration fullJitter(int attempts) {
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(retryLimit.apply(attempts) + 1));
    }
}
