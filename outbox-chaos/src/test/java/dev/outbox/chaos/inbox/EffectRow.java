package dev.outbox.chaos.inbox;

/**
 * One effect of one event.
 *
 * @param seq in the order in which the effects of an aggregate were written
 */
record EffectRow(long seq, String consumer, String eventId, String aggregate, long version) {}
