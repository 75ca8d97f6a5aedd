package dev.outbox.inbox;

/**
 * What is done with an event that is older than what the inbox remembers, and that the inbox does not know. Nobody can
 * tell whether it is new or was processed and forgotten. What the inbox knows is a duplicate, however old.
 */
public enum OutsideWindow {

    /** It is processed like a new one. */
    PROCESS,

    /** It is dead-lettered. */
    DEAD_LETTER,

    /** The consumer stops before it, on all its threads; nothing is lost, and nothing more is processed. */
    STOP
}
