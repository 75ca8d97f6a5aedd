package dev.outbox.inbox;

/** What happens to the events that follow a dead letter of their aggregate. */
public enum AfterDeadLetter {

    /** They are processed as they come. */
    CONTINUE,

    /**
     * They wait among the dead letters behind it, and are processed in order when it has been redriven or discarded. An
     * event that names no aggregate waits for none.
     */
    PARK_AGGREGATE
}
