package dev.outbox.jdbc;

import dev.outbox.Aggregate;
import dev.outbox.Delivery;
import dev.outbox.EventType;
import dev.outbox.OutboxRecord;
import dev.outbox.Payload;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.UUID;

/** Makes deliveries out of rows of both tables. */
final class RowReader {

    private final HeadersJson headersJson = new HeadersJson();

    Delivery delivery(ResultSet row) throws SQLException {
        OutboxRecord event = new OutboxRecord(
                row.getObject("event_id", UUID.class),
                row.getString("topic"),
                new EventType(row.getString("event_type"), row.getInt("schema_version")),
                new Aggregate(
                        row.getString("aggregate_type"),
                        row.getString("aggregate_id"),
                        row.getObject("aggregate_version", Long.class)),
                Payload.of(row.getString("content_type"), row.getBytes("payload")),
                headersJson.read(row.getString("headers")));
        return new Delivery(
                row.getLong("seq"),
                row.getInt("lane"),
                row.getLong("aggregate_hash"),
                row.getInt("attempts"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                event);
    }
}
