package dev.outbox.jdbc;

import dev.outbox.Aggregate;
import dev.outbox.EventType;
import dev.outbox.ParkedRecord;
import dev.outbox.RecordFilter;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Lists what waits for a decision. */
final class ParkedRecords {

    private final RecordSearch search;

    ParkedRecords(RecordSearch search) {
        this.search = search;
    }

    List<ParkedRecord> page(RecordFilter filter, ParkedRecord.Position after, int limit) {
        List<ParkedRecord> page = new ArrayList<>();
        search.parked(filter, after, row -> page.add(record(row)) && page.size() < limit);
        return page;
    }

    private static ParkedRecord record(ResultSet row) throws SQLException {
        return new ParkedRecord(
                row.getLong("seq"),
                row.getObject("event_id", UUID.class),
                row.getString("topic"),
                new EventType(row.getString("event_type"), row.getInt("schema_version")),
                new Aggregate(
                        row.getString("aggregate_type"),
                        row.getString("aggregate_id"),
                        row.getObject("aggregate_version", Long.class)),
                new ParkedRecord.Parking(
                        row.getObject("since", OffsetDateTime.class).toInstant(),
                        row.getInt("attempts"),
                        row.getBoolean("waiting"),
                        row.getString("last_error")));
    }
}
