package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.AuditEntry;
import dev.outbox.inbox.Decision;
import dev.outbox.postgresql.TableNames;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;

/** Who decided what, when and why. Each method needs a transaction. */
final class InboxAudit {

    private static final String WRITE =
            "INSERT INTO %s (actor, action, reason, ids) VALUES (:actor, :action, :reason, :ids::bigint[])";

    private static final String READ = """
            SELECT id, decided_at, actor, action, reason, ids FROM %s WHERE id < :before ORDER BY id DESC LIMIT :limit
            """;

    private final CurrentTransaction transaction;
    private final String table;

    InboxAudit(CurrentTransaction transaction, TableNames tables) {
        this.transaction = transaction;
        this.table = tables.qualified(InboxTables.AUDIT);
    }

    void write(String action, long id, Decision decision) {
        transaction
                .client()
                .sql(WRITE.formatted(table))
                .param("actor", decision.actor())
                .param("action", action)
                .param("reason", decision.reason())
                .param("ids", new Long[] {id})
                .update();
    }

    /** Newest first. */
    List<AuditEntry> read(long before, int limit) {
        return transaction
                .client()
                .sql(READ.formatted(table))
                .param("before", before)
                .param("limit", limit)
                .query((row, number) -> entry(row))
                .list();
    }

    private static AuditEntry entry(ResultSet row) throws SQLException {
        return new AuditEntry(
                row.getLong("id"),
                row.getObject("decided_at", OffsetDateTime.class).toInstant(),
                row.getString("actor"),
                row.getString("action"),
                row.getString("reason"),
                List.of((Long[]) row.getArray("ids").getArray()));
    }
}
