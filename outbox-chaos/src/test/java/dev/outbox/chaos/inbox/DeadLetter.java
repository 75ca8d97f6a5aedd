package dev.outbox.chaos.inbox;

import org.jspecify.annotations.Nullable;

/**
 * A record that a consumer has given up.
 *
 * @param eventId null if it has no usable one
 */
record DeadLetter(String consumer, @Nullable String eventId, int partition, long offset) {}
