package dev.outbox.inbox;

import java.util.List;

/** Says who decides about the events of a listener. */
@FunctionalInterface
public interface Admissions {

    /**
     * Returns what decides, in this order; none if the listener asks for nothing of it.
     *
     * @throws IllegalStateException if the listener asks for what cannot be; the message says why
     */
    List<Admission> of(ConsumerName consumer, IdempotentListener listener);
}
