package dev.outbox.inbox.jdbc;

import dev.outbox.postgresql.ModuleSchema;
import dev.outbox.postgresql.TableNames;
import java.util.List;
import java.util.Map;

/** The inbox's tables and where their migrations are. */
public final class InboxTables {

    /**
     * The migrations' place on the class path. The same as plain SQL is in the folder {@code scripts} beside it, and for the
     * partitioned layout in {@code scripts/partitioned}.
     */
    public static final String MIGRATIONS = "dev/outbox/inbox/schema/migration";

    static final String PROCESSED = "processed";
    static final String DEAD_LETTER = "dead_letter";
    static final String AUDIT = "audit";
    static final String AGGREGATE_VERSION = "aggregate_version";
    static final String EARLY_EVENT = "early_event";
    static final String CONSUMER = "consumer";

    private static final Map<String, List<String>> COLUMNS = Map.of(
            PROCESSED,
            List.of("consumer", "event_id", "processed_at"),
            DEAD_LETTER,
            List.of(
                    "id",
                    "consumer",
                    "state",
                    "event_id",
                    "event_type",
                    "schema_version",
                    "aggregate_type",
                    "aggregate_id",
                    "aggregate_version",
                    "aggregate_key",
                    "topic",
                    "partition",
                    "record_offset",
                    "record_timestamp",
                    "record_key",
                    "record_value",
                    "header_names",
                    "header_values",
                    "attempts",
                    "cause_type",
                    "cause",
                    "first_failed_at",
                    "last_failed_at",
                    "decided_at"),
            AUDIT,
            List.of("id", "decided_at", "actor", "action", "reason", "ids"),
            AGGREGATE_VERSION,
            List.of("consumer", "aggregate_type", "aggregate_id", "version", "applied_at"),
            EARLY_EVENT,
            List.of(
                    "consumer",
                    "aggregate_type",
                    "aggregate_id",
                    "version",
                    "event_id",
                    "settled",
                    "topic",
                    "partition",
                    "record_offset",
                    "record_timestamp",
                    "record_key",
                    "record_value",
                    "header_names",
                    "header_values",
                    "received_at",
                    "attempts",
                    "next_attempt_at",
                    "last_error"),
            CONSUMER,
            List.of("consumer", "group_id", "application", "last_seen"));

    private InboxTables() {}

    /** Returns what creates or checks the tables in the plain layout. */
    public static ModuleSchema of(TableNames tables) {
        return of(tables, TableLayout.PLAIN);
    }

    /**
     * Returns what creates or checks the tables.
     *
     * @param layout of the processed events if their table is to be made; one that is there must have it
     */
    public static ModuleSchema of(TableNames tables, TableLayout layout) {
        return new ModuleSchema(
                "inbox", MIGRATIONS, tables, COLUMNS, layout.placeholders(tables), layout.partitionedTables());
    }
}
