package dev.outbox.inbox;

import dev.outbox.postgresql.TableNames;

/**
 * Everything about the inbox that can be set.
 *
 * @param tables where its tables live
 * @param eventIdHeader name of the record header that carries the event id, a UUID as text
 * @param retry what happens after a failure
 * @param deadLetters where records go that cannot be processed
 * @param purge how long processed events are remembered
 * @param window what holds for records that are older than that
 */
public record InboxSettings(
        TableNames tables,
        String eventIdHeader,
        RetrySettings retry,
        DeadLetterSettings deadLetters,
        PurgeSettings purge,
        WindowSettings window) {

    /** Schema of the tables if nothing else is said. */
    public static final String DEFAULT_SCHEMA = "public";

    /** Prefix of the tables if nothing else is said. */
    public static final String DEFAULT_TABLE_PREFIX = "inbox_";

    /** The CloudEvents id. Debezium's outbox router writes {@code id}. */
    public static final String DEFAULT_EVENT_ID_HEADER = "ce_id";

    /**
     * @throws IllegalArgumentException if the header's name is blank
     */
    public InboxSettings {
        if (eventIdHeader.isBlank()) {
            throw new IllegalArgumentException(
                    "The name of the event id header must not be blank; the default is " + DEFAULT_EVENT_ID_HEADER);
        }
    }

    /** Returns the default of each setting. */
    public static InboxSettings defaults() {
        return new InboxSettings(
                new TableNames(DEFAULT_SCHEMA, DEFAULT_TABLE_PREFIX),
                DEFAULT_EVENT_ID_HEADER,
                RetrySettings.defaults(),
                DeadLetterSettings.defaults(),
                PurgeSettings.defaults(),
                WindowSettings.defaults());
    }
}
