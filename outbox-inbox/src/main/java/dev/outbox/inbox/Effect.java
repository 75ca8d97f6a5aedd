package dev.outbox.inbox;

/**
 * What an event does to the consumer's database.
 *
 * @param <E> what it may throw; {@code RuntimeException} for one that declares nothing
 */
@FunctionalInterface
public interface Effect<E extends Exception> {

    /** Applies the effect in the transaction of the calling thread. */
    void apply() throws E;
}
