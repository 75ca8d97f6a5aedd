package dev.outbox.inbox;

/** What is done about a topic that keeps its records for longer than the inbox remembers them. */
public enum RetentionCheck {

    /** A warning is logged. The topics are looked at in the background, and again while the broker is away. */
    WARN,

    /**
     * The application does not start. What the broker has not answered within 10 seconds, or does not tell this user,
     * stops nothing; it is looked at as with {@link #WARN}.
     */
    FAIL,

    /** Nothing is looked at. */
    NONE
}
