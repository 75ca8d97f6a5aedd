package dev.outbox;

import java.time.Instant;

/**
 * Something that operators have stopped.
 *
 * @param topic the topic, or the empty text for the relay as a whole
 * @param since when, by the database's clock
 * @param actor who
 * @param reason why
 */
public record Pause(String topic, Instant since, String actor, String reason) {

    /** Whether no topic at all is published. */
    public boolean isWholeRelay() {
        return topic.isEmpty();
    }
}
