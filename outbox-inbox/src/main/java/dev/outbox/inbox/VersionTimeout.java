package dev.outbox.inbox;

/** What becomes of an early event when the version before it does not come. */
public enum VersionTimeout {

    /** It goes to the dead letters. */
    DEAD_LETTER,

    /** The gap is skipped, and the event is applied. What was missing is stale when it comes. */
    APPLY,

    /** It waits on, and a warning is logged. */
    WAIT
}
