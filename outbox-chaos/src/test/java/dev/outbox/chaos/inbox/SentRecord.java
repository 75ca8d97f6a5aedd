package dev.outbox.chaos.inbox;

import org.jspecify.annotations.Nullable;

/**
 * A record that was sent.
 *
 * @param eventId null if it has no usable one
 * @param version the event's place within its aggregate, from 1
 * @param repeat whether the event was sent before
 */
record SentRecord(
        int partition,
        long offset,
        @Nullable String eventId,
        String aggregate,
        long version,
        Content content,
        boolean repeat) {

    @Override
    public String toString() {
        return "%s event %s at %d@%d, version %d of %s"
                .formatted(content, eventId, partition, offset, version, aggregate);
    }
}
