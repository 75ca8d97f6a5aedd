package dev.outbox;

/**
 * Decides what follows from a failure to publish. An application may bring its own, for a broker or an interceptor with
 * errors of its own; what it doesn't know it hands on to the default one.
 *
 * <p>Called on threads of the Kafka client, so it must return at once. What it throws counts as {@link
 * PublishFailure.Kind#TRANSIENT}.
 */
@FunctionalInterface
public interface PublishFailureClassifier {

    /**
     * @param event what was not acknowledged
     * @param cause what the broker or the client said
     */
    PublishFailure.Kind classify(OutboxRecord event, Exception cause);
}
