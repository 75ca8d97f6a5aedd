package dev.outbox.inbox;

/** What a consumer does with the versions of the aggregates that its events are about. */
public enum VersionPolicy {

    /** Nothing: events are applied as they come. */
    NONE,

    /** An event is applied if its version is newer than the last one applied, and skipped if not. */
    SKIP_STALE,

    /** Only the next version is applied. A later one is kept in the database until the missing ones have come. */
    STRICT
}
