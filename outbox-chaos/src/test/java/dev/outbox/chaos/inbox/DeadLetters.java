package dev.outbox.chaos.inbox;

import java.util.List;

/** Where consumers put the records that they give up. */
interface DeadLetters extends AutoCloseable {

    /**
     * Returns every dead letter that is there at the time of the call. One that stands there twice comes twice, where the
     * inbox promises that it does not.
     */
    List<DeadLetter> all();

    @Override
    default void close() {}
}
