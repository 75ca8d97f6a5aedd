package dev.outbox.inbox;

import java.time.Duration;

/**
 * The early events that one consumer keeps.
 *
 * @param count how many they are
 * @param oldestAge how long the one that came first has waited, by the database's clock; zero if there is none
 */
public record EarlyBacklog(long count, Duration oldestAge) {}
