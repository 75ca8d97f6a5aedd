package dev.outbox.jdbc;

import dev.outbox.AuditEntry;
import dev.outbox.Decision;
import dev.outbox.postgresql.TableNames;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Who decided what, when and why. Each method needs a transaction. */
final class AuditTrail {

    private static final String WRITE = """
            INSERT INTO %1$s (actor, action, reason, topic, seqs)
            VALUES (:actor, :action, :reason, :topic::text, :seqs::bigint[])
            """;

    private static final String READ = """
            SELECT id, decided_at, actor, action, reason, topic, seqs
            FROM %1$s
            WHERE id < :before
            ORDER BY id DESC
            LIMIT :limit
            """;

    private final JdbcClient jdbc;
    private final String write;
    private final String read;

    AuditTrail(JdbcClient jdbc, TableNames names) {
        this.jdbc = jdbc;
        this.write = WRITE.formatted(names.qualified("audit"));
        this.read = READ.formatted(names.qualified("audit"));
    }

    void decidedOnRecords(String action, List<Long> seqs, Decision decision) {
        write(action, null, seqs, decision);
    }

    /**
     * @param topic empty for the relay as a whole
     */
    void decidedOnTopic(String action, String topic, Decision decision) {
        write(action, topic, List.of(), decision);
    }

    private void write(String action, @Nullable String topic, List<Long> seqs, Decision decision) {
        jdbc.sql(write)
                .param("actor", decision.actor())
                .param("action", action)
                .param("reason", decision.reason())
                .param("topic", topic)
                .param("seqs", seqs.toArray(Long[]::new))
                .update();
    }

    /** Newest first. */
    List<AuditEntry> read(long before, int limit) {
        return jdbc.sql(read)
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
                new AuditEntry.Target(row.getString("topic"), List.of((Long[])
                        row.getArray("seqs").getArray())));
    }
}
