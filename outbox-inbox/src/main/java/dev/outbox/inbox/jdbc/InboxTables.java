package dev.outbox.inbox.jdbc;

import dev.outbox.postgresql.ModuleSchema;
import dev.outbox.postgresql.TableNames;
import java.util.List;
import java.util.Map;

/** The inbox's tables and where their migrations are. */
public final class InboxTables {

    /** The migrations' place on the class path. The same as plain SQL is in the folder {@code scripts} beside it. */
    public static final String MIGRATIONS = "dev/outbox/inbox/schema/migration";

    static final String PROCESSED = "processed";

    static final String CONSUMER = "consumer";

    private InboxTables() {}

    /** Returns what creates or checks the tables. */
    public static ModuleSchema of(TableNames tables) {
        return new ModuleSchema(
                "inbox",
                MIGRATIONS,
                tables,
                Map.of(
                        PROCESSED,
                        List.of("consumer", "event_id", "processed_at"),
                        CONSUMER,
                        List.of("consumer", "group_id", "application", "last_seen")));
    }
}
