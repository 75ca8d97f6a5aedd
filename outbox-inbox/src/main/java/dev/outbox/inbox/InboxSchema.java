package dev.outbox.inbox;

import dev.outbox.postgresql.ModuleSchema;
import dev.outbox.postgresql.TableNames;
import java.util.List;
import java.util.Map;

/** The inbox's tables and where their migrations are. */
public final class InboxSchema {

    /** Schema of the tables if nothing else is said. */
    public static final String DEFAULT_SCHEMA = "public";

    /** Prefix of the tables if nothing else is said. */
    public static final String DEFAULT_PREFIX = "inbox_";

    /** The migrations' place on the class path. The same as plain SQL is in the folder {@code scripts} beside it. */
    public static final String MIGRATIONS = "dev/outbox/inbox/schema/migration";

    static final String PROCESSED = "processed";

    private InboxSchema() {}

    /** Returns what creates or checks the tables. */
    public static ModuleSchema of(TableNames tables) {
        return new ModuleSchema(
                "inbox", MIGRATIONS, tables, Map.of(PROCESSED, List.of("consumer", "event_id", "processed_at")));
    }
}
