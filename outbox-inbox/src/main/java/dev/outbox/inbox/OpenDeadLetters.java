package dev.outbox.inbox;

import java.time.Duration;

/**
 * The dead letters of a consumer that nobody has decided on, those that wait behind others included.
 *
 * @param count how many
 * @param oldestAge time since the first failure of the oldest; zero if there are none
 */
public record OpenDeadLetters(ConsumerName consumer, long count, Duration oldestAge) {}
