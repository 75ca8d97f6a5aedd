package dev.outbox.jdbc;

import dev.outbox.Aggregate;
import dev.outbox.BatchLimits;
import dev.outbox.Delivery;
import dev.outbox.EventType;
import dev.outbox.OutboxRecord;
import dev.outbox.Payload;
import dev.outbox.postgresql.TableNames;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Reads what may be published of claimed lanes, at a cost that follows what is returned.
 *
 * <p>Every look-up is a correlated subquery with an order and a limit. The planner can neither hash nor sort its way
 * through a whole table then, whatever its statistics say of a queue that grows and drains within minutes.
 */
final class ClaimedReads {

    /*
     * %3$s yields seq, lane, aggregate_hash, attempts and behind. The limit on bytes cuts by seq, so of every aggregate a
     * beginning remains. The payload of a record that must wait is not fetched.
     */
    private static final String WITH_EVENTS = """
            SELECT *
            FROM (SELECT d.*, e.event_id, e.aggregate_type, e.aggregate_id, e.aggregate_version, e.topic, e.event_type,
                         e.schema_version, e.content_type, e.payload, e.headers::text AS headers, e.created_at,
                         sum(octet_length(e.payload)) OVER (ORDER BY d.seq) AS bytes_so_far
                  FROM (%2$s) d
                  LEFT JOIN LATERAL (SELECT * FROM %1$s WHERE seq = d.seq AND NOT d.behind LIMIT 1) e ON true) AS sized
            WHERE behind OR bytes_so_far <= :bytes OR bytes_so_far = octet_length(payload)
            ORDER BY seq
            """;

    private static final String READY = """
            SELECT r.*, (SELECT w.seq
                         FROM %1$s w
                         WHERE w.lane = r.lane AND w.aggregate_hash = r.aggregate_hash
                           AND w.published_at IS NULL AND w.waiting
                         ORDER BY w.seq
                         LIMIT 1) IS NOT NULL AS behind
            FROM unnest(:lanes::smallint[]) AS claimed (lane)
            CROSS JOIN LATERAL (SELECT q.seq, q.lane, q.aggregate_hash, q.attempts
                                FROM %1$s q
                                WHERE q.lane = claimed.lane AND q.published_at IS NULL AND NOT q.waiting AND q.parked_at IS NULL
                                ORDER BY q.seq
                                LIMIT :perLane) r
            ORDER BY seq
            LIMIT :records
            """;

    private static final String DUE = """
            SELECT w.seq, w.lane, w.aggregate_hash, w.attempts, false AS behind
            FROM unnest(:lanes::smallint[]) AS claimed (lane)
            CROSS JOIN LATERAL (SELECT h.seq, h.aggregate_hash
                                FROM %1$s h
                                WHERE h.lane = claimed.lane AND h.published_at IS NULL AND h.next_attempt_at <= now()
                                ORDER BY h.next_attempt_at
                                LIMIT :perLane) head
            CROSS JOIN LATERAL (SELECT q.seq, q.lane, q.aggregate_hash, q.attempts
                                FROM %1$s q
                                WHERE q.lane = claimed.lane AND q.aggregate_hash = head.aggregate_hash
                                  AND q.published_at IS NULL AND q.waiting AND q.seq >= head.seq
                                ORDER BY q.seq
                                LIMIT :perLane) w
            ORDER BY seq
            LIMIT :records
            """;

    private final JdbcClient jdbc;
    private final HeadersJson headersJson = new HeadersJson();
    private final String ready;
    private final String due;

    ClaimedReads(JdbcClient jdbc, TableNames names) {
        this.jdbc = jdbc;
        this.ready = WITH_EVENTS.formatted(names.qualified("event"), READY.formatted(names.qualified("delivery")));
        this.due = WITH_EVENTS.formatted(names.qualified("event"), DUE.formatted(names.qualified("delivery")));
    }

    /** Retries get at most half of a read, so that they never keep fresh records out. */
    Found read(List<Integer> lanes, BatchLimits limits) {
        Found found = new Found();
        int half = Math.max(1, limits.records() / 2);
        run(due, lanes, half, Math.max(1, limits.bytes() / 2), found);
        int retries = found.deliveries().size();
        long bytes = Math.max(1, limits.bytes() - found.bytes());
        run(ready, lanes, Math.max(1, limits.records() - retries), bytes, found);
        return found;
    }

    private void run(String sql, List<Integer> lanes, int records, long bytes, Found found) {
        int perLane = Math.max(1, records / lanes.size());
        int before = found.size();
        jdbc.sql(sql)
                .param("lanes", lanes.toArray(Integer[]::new))
                .param("perLane", perLane)
                .param("records", records)
                .param("bytes", bytes)
                .query(row -> {
                    if (row.getBoolean("behind")) {
                        found.behind.add(
                                new Place(row.getLong("seq"), row.getInt("lane"), row.getLong("aggregate_hash")));
                    } else {
                        found.deliveries.add(delivery(row));
                    }
                });
        found.full |= found.size() - before >= perLane;
    }

    private Delivery delivery(ResultSet row) throws SQLException {
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

    /**
     * @param seq of a record
     * @param lane its lane
     * @param aggregateHash its aggregate
     */
    record Place(long seq, int lane, long aggregateHash) {}

    /** What a read found. */
    static final class Found {

        private final List<Delivery> deliveries = new ArrayList<>();
        private final List<Place> behind = new ArrayList<>();
        private boolean full;

        List<Delivery> deliveries() {
            return deliveries;
        }

        /** What must wait behind an earlier record of its aggregate. */
        List<Place> behind() {
            return behind;
        }

        /** Whether some lane may have more. */
        boolean full() {
            return full;
        }

        private int size() {
            return deliveries.size() + behind.size();
        }

        private long bytes() {
            return deliveries.stream()
                    .mapToLong(delivery -> delivery.event().payload().size())
                    .sum();
        }
    }
}
