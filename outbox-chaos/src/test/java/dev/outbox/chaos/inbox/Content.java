package dev.outbox.chaos.inbox;

/** What an event asks of its consumers. */
enum Content {

    /** An effect. */
    PLAIN,

    /** An effect whose commit takes long, so that it can be broken. */
    LINGERING,

    /** An effect of a handler that takes longer than a consumer may take between two polls. */
    SLOW,

    /** Nothing: its payload cannot be read. */
    UNREADABLE,

    /** Nothing: the handler refuses it for good, after it has written its effect. */
    REFUSED,

    /** Nothing: it has no id. */
    WITHOUT_ID,

    /** Nothing: its id is none. */
    WITH_BAD_ID;

    /** Whether it must be dead-lettered. */
    boolean isPoison() {
        return this == UNREADABLE || this == REFUSED || !hasId();
    }

    /** Whether it can be recognized when it comes again. */
    boolean hasId() {
        return this != WITHOUT_ID && this != WITH_BAD_ID;
    }
}
