package dev.outbox.inbox.kafka;

/** What a failure says about the next attempt. */
public enum FailureKind {
    /** The record is the cause and stays so: dead-lettered at once. */
    PERMANENT,
    /** The database or its configuration is the cause, not the record: retried until it is well again. */
    TRANSIENT,
    /** Unknown: retried, then dead-lettered. */
    UNKNOWN
}
