package dev.outbox;

/**
 * What happened and in which structure it is told.
 *
 * @param name a past-tense fact, {@code order.confirmed}
 * @param schemaVersion the version of the payload's structure, from 1
 */
public record EventType(String name, int schemaVersion) {}
