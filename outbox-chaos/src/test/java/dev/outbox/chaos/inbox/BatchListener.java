package dev.outbox.chaos.inbox;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotentListener;

/** Consumes in {@link Mode#BATCH}. */
final class BatchListener {

    private final Handler handler;

    BatchListener(Handler handler) {
        this.handler = handler;
    }

    @IdempotentListener(consumer = "chaos-batch", batch = true, topics = "${chaos.topic}")
    void on(Handler.Payload payload, EventMetadata event) {
        handler.handle(Mode.BATCH, payload, event);
    }
}
