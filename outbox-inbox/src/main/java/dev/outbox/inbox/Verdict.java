package dev.outbox.inbox;

/** What became of an event. */
public enum Verdict {

    /** Its effect was applied. */
    APPLIED,

    /** It was processed before; nothing was done. */
    DUPLICATE,

    /** A later version of its aggregate was applied before; nothing was done. */
    STALE,

    /** An earlier version of its aggregate is missing; it is kept in the database until that one has come. */
    EARLY,

    /** An earlier event of its aggregate is dead-lettered; it waits behind that one. */
    BEHIND,

    /** It cannot be processed; it waits for a decision among the dead letters. */
    DEAD_LETTERED
}
