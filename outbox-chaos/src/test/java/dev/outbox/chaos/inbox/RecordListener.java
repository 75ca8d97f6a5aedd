package dev.outbox.chaos.inbox;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotentListener;

/** Consumes in {@link Mode#RECORD}. */
final class RecordListener {

    private final Handler handler;

    RecordListener(Handler handler) {
        this.handler = handler;
    }

    @IdempotentListener(consumer = "chaos-record", topics = "${chaos.topic}")
    void on(Handler.Payload payload, EventMetadata event) {
        handler.handle(Mode.RECORD, payload, event);
    }
}
