package dev.outbox.testkit;

/**
 * An event that a committed transaction appended.
 *
 * @param eventId identity of the event
 * @param aggregate identity of its aggregate, type included where ids of several types may be equal
 * @param order place among the events of its aggregate: greater than that of every earlier one
 */
public record CommittedEvent(String eventId, String aggregate, long order) {}
