package dev.outbox.chaos.inbox;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.PermanentEventException;
import java.time.Duration;

/** What every listener does with an event. */
final class Handler {

    /** Longer than a consumer may take between two polls. */
    static final Duration SLOW = Duration.ofMillis(2_500);

    private final Effects effects;

    Handler(Effects effects) {
        this.effects = effects;
    }

    void handle(Mode mode, Payload payload, EventMetadata event) {
        effects.add(mode.consumer(), event, payload.content() == Content.LINGERING);
        if (payload.content() == Content.SLOW) {
            effects.takeTime(SLOW);
        }
        if (payload.content() == Content.REFUSED) {
            throw new PermanentEventException("Refused, as its payload asks for");
        }
    }

    /** The payload of events. */
    record Payload(Content content) {}
}
