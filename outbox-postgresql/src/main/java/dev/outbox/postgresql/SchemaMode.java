package dev.outbox.postgresql;

/** What happens to the tables of a module at start-up. */
public enum SchemaMode {

    /** Flyway creates or upgrades the tables, with a history table of its own. */
    MIGRATE,

    /** Nothing is changed; the start-up fails when a table or a column is missing. */
    VALIDATE,

    /** Nothing is changed and nothing is checked. */
    NONE
}
