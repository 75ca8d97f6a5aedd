package dev.outbox.relay;

import dev.outbox.Delivery;
import dev.outbox.Outcome;
import dev.outbox.PublishFailure;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;

/** Decides what follows from a failure. */
final class FailurePolicy {

    private static final double DOUBLING = 2;
    private static final double JITTER = 0.5;

    private final int maxAttempts;
    private final IntervalFunction retryDelay;
    private final IntervalFunction unavailableDelay;

    FailurePolicy(RelaySettings.Retry retry) {
        this.maxAttempts = retry.maxAttempts();
        this.retryDelay =
                IntervalFunction.ofExponentialRandomBackoff(retry.initialDelay(), DOUBLING, JITTER, retry.maxDelay());
        this.unavailableDelay = IntervalFunction.ofRandomized(retry.unavailableDelay(), JITTER);
    }

    Outcome outcome(Delivery delivery, PublishFailure failure) {
        int attempts = delivery.attempts() + 1;
        return switch (failure.kind()) {
            case PERMANENT -> new Outcome(delivery, Outcome.State.PARKED, Duration.ZERO, failure);
            case UNAVAILABLE ->
                new Outcome(delivery, Outcome.State.DEFERRED, Duration.ofMillis(unavailableDelay.apply(1)), failure);
            case TRANSIENT ->
                attempts < maxAttempts
                        ? new Outcome(
                                delivery, Outcome.State.RETRY, Duration.ofMillis(retryDelay.apply(attempts)), failure)
                        : new Outcome(delivery, Outcome.State.PARKED, Duration.ZERO, failure);
        };
    }
}
