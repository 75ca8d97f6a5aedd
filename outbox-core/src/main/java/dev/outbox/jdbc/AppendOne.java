package dev.outbox.jdbc;

import dev.outbox.Aggregate;
import dev.outbox.OutboxRecord;
import dev.outbox.postgresql.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;

/**
 * Inserts one record. {@link AppendMany} can do that too, but the server needs twice the time for its arrays.
 *
 * <p>{@code CASE} evaluates in the order that is written, so no number is drawn before both locks are held.
 */
final class AppendOne {

    private static final String LOCKS = """
            WHEN pg_advisory_xact_lock_shared(?)::text IS NULL THEN NULL
                                   WHEN pg_advisory_xact_lock(?)::text IS NULL THEN NULL""";

    private static final String APPEND = """
            WITH event AS (
                INSERT INTO %1$s (seq, event_id, aggregate_type, aggregate_id, aggregate_version, topic, event_type,
                                  schema_version, content_type, payload, headers)
                OVERRIDING SYSTEM VALUE
                VALUES (CASE %4$s
                             WHEN pg_current_xact_id() IS NULL THEN NULL
                             ELSE nextval('%3$s') END, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb)
                RETURNING seq
            )
            INSERT INTO %2$s (seq, lane, aggregate_hash) SELECT seq, ?, ? FROM event
            """;

    private final HeadersJson headersJson = new HeadersJson();
    private final String append;
    private final int locks;

    AppendOne(TableNames names, boolean guardOrder) {
        this.append = APPEND.formatted(
                names.qualified("event"),
                names.qualified("delivery"),
                names.qualified("event_seq_seq"),
                guardOrder ? LOCKS : "");
        this.locks = guardOrder ? 2 : 0;
    }

    /** Whether these are the locks that it takes: those of a lane and of an aggregate, or none if there is no guard. */
    boolean takes(List<AppendGuard.Lock> locks) {
        return locks.size() == this.locks;
    }

    PreparedStatement prepare(Connection connection, List<AppendGuard.Lock> locks, OutboxRecord record)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(append);
        int index = 0;
        for (AppendGuard.Lock lock : locks) {
            statement.setLong(++index, lock.key());
        }
        Aggregate aggregate = record.aggregate();
        statement.setObject(++index, record.eventId());
        statement.setString(++index, aggregate.type());
        statement.setString(++index, aggregate.id());
        statement.setObject(++index, aggregate.version(), Types.BIGINT);
        statement.setString(++index, record.topic());
        statement.setString(++index, record.type().name());
        statement.setInt(++index, record.type().schemaVersion());
        statement.setString(++index, record.payload().contentType());
        statement.setBytes(++index, record.payload().bytes());
        statement.setString(++index, headersJson.write(record.headers()));
        long hash = aggregate.hash();
        statement.setShort(++index, (short) Aggregate.lane(hash));
        statement.setLong(++index, hash);
        return statement;
    }
}
