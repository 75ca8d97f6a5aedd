package dev.outbox.chaos.inbox;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotentListener;

/** Consumes in {@link Mode#PARALLEL}. */
final class ParallelListener {

    private final Handler handler;

    ParallelListener(Handler handler) {
        this.handler = handler;
    }

    @IdempotentListener(consumer = "chaos-parallel", parallelism = "4", topics = "${chaos.topic}")
    void on(Handler.Payload payload, EventMetadata event) {
        handler.handle(Mode.PARALLEL, payload, event);
    }
}
