package dev.outbox.inbox;

import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Takes events in that are new to a consumer.
 *
 * @param <E> what it may throw; {@code RuntimeException} for one that declares nothing
 */
@FunctionalInterface
public interface Intake<E extends Exception> {

    /**
     * Does with the events what is to be done, in the transaction of the calling thread, in which they are recorded.
     *
     * @param events at least one, in the order in which they were passed
     * @return what became of each of them
     */
    Map<UUID, Verdict> take(Set<UUID> events) throws E;
}
