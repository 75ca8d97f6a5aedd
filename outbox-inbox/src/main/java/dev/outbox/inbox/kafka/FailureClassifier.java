package dev.outbox.inbox.kafka;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Decides what kind of failure an exception is. An application may bring its own, for what its handlers and the services
 * that they call throw. They are asked in order until one knows; the last one is built in and knows the database's.
 *
 * <p>Called on the consuming thread, so it returns at once. One that throws doesn't know.
 */
@FunctionalInterface
public interface FailureClassifier {

    /**
     * @param failure what the handler, the database or the reading of the record threw; look at its causes too
     * @return null if this classifier does not know
     */
    @Nullable
    FailureKind classify(Throwable failure);

    /**
     * Returns a classifier that knows exceptions by their types, subclasses included. Of a failure and its causes, the
     * first counts that is listed; of an exception that two types match, the more special one.
     *
     * @throws IllegalArgumentException if a type is both
     */
    static FailureClassifier byType(
            Collection<? extends Class<? extends Throwable>> transients,
            Collection<? extends Class<? extends Throwable>> permanents) {
        return new ListedFailures(transients, permanents);
    }
}
