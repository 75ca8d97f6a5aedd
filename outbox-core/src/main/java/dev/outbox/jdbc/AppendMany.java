package dev.outbox.jdbc;

import dev.outbox.Aggregate;
import dev.outbox.OutboxRecord;
import dev.outbox.postgresql.TableNames;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Inserts any number of records by one statement. */
final class AppendMany {

    /*
     * The locks come first and the numbers are drawn from what the locking step returns, so no number is drawn before
     * every lock is held. The transaction's id comes before its numbers, too: the relay rests on that when it reads on
     * from where it was. One statement for both tables and all records.
     */
    private static final String APPEND = """
            WITH guard AS MATERIALIZED (
                SELECT count(CASE WHEN exclusive THEN pg_advisory_xact_lock(key)::text
                                  ELSE pg_advisory_xact_lock_shared(key)::text END) AS held,
                       pg_current_xact_id() AS transaction
                FROM unnest(?::bigint[], ?::boolean[]) AS l (key, exclusive)
            ), appended AS MATERIALIZED (
                SELECT nextval('%3$s') AS seq, r.*
                FROM guard
                CROSS JOIN unnest(?::smallint[], ?::bigint[], ?::uuid[], ?::text[], ?::text[], ?::bigint[], ?::text[],
                                  ?::text[], ?::integer[], ?::text[], ?::bytea[], ?::text[])
                    AS r (lane, aggregate_hash, event_id, aggregate_type, aggregate_id, aggregate_version, topic,
                          event_type, schema_version, content_type, payload, headers)
            ), event AS (
                INSERT INTO %1$s (seq, event_id, aggregate_type, aggregate_id, aggregate_version, topic, event_type,
                                  schema_version, content_type, payload, headers)
                OVERRIDING SYSTEM VALUE
                SELECT seq, event_id, aggregate_type, aggregate_id, aggregate_version, topic, event_type,
                       schema_version, content_type, payload, headers::jsonb
                FROM appended
            )
            INSERT INTO %2$s (seq, lane, aggregate_hash) SELECT seq, lane, aggregate_hash FROM appended
            """;

    private final HeadersJson headersJson = new HeadersJson();
    private final String append;

    AppendMany(TableNames names) {
        this.append = APPEND.formatted(
                names.qualified("event"), names.qualified("delivery"), names.qualified("event_seq_seq"));
    }

    PreparedStatement prepare(
            Connection connection, List<AppendGuard.Lock> locks, List<Long> hashes, List<OutboxRecord> records)
            throws SQLException {
        Columns columns = new Columns(connection, connection.prepareStatement(append));
        columns.add("bigint", locks, AppendGuard.Lock::key);
        columns.add("boolean", locks, AppendGuard.Lock::exclusive);
        columns.add("smallint", hashes, hash -> (short) Aggregate.lane(hash));
        columns.add("bigint", hashes, hash -> hash);
        columns.add("uuid", records, OutboxRecord::eventId);
        columns.add("text", records, record -> record.aggregate().type());
        columns.add("text", records, record -> record.aggregate().id());
        columns.add("bigint", records, record -> record.aggregate().version());
        columns.add("text", records, OutboxRecord::topic);
        columns.add("text", records, record -> record.type().name());
        columns.add("integer", records, record -> record.type().schemaVersion());
        columns.add("text", records, record -> record.payload().contentType());
        columns.add(
                "bytea",
                records.stream().map(record -> record.payload().bytes()).toArray(byte[][]::new));
        columns.add("text", records, record -> headersJson.write(record.headers()));
        return columns.statement;
    }

    /** Binds one array parameter after the other. */
    private static final class Columns {

        private final Connection connection;
        private final PreparedStatement statement;
        private int index;

        private Columns(Connection connection, PreparedStatement statement) {
            this.connection = connection;
            this.statement = statement;
        }

        private <T> void add(String type, List<T> rows, Function<T, @Nullable Object> column) throws SQLException {
            add(type, rows.stream().map(column).toArray());
        }

        private void add(String type, Object[] values) throws SQLException {
            Array array = connection.createArrayOf(type, values);
            statement.setArray(++index, array);
        }
    }
}
