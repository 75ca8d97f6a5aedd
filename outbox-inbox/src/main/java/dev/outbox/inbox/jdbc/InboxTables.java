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
                "inbox",
                MIGRATIONS,
                tables,
                Map.of(PROCESSED, List.of("consumer", "event_id", "processed_at")),
                layout.placeholders(tables),
                layout.partitionedTables());
    }
}
