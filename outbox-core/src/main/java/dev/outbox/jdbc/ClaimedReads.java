package dev.outbox.jdbc;

import dev.outbox.BatchLimits;
import dev.outbox.Ordering;
import dev.outbox.postgresql.TableNames;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Reads what may be published of claimed lanes, at a cost that follows what is returned.
 *
 * <p>Every look-up is a correlated subquery with an order and a limit. The planner can neither hash nor sort its way
 * through a whole table then, whatever its statistics say of a queue that grows and drains within minutes. The order is
 * that of one index only: a lane or a hash that is compared by {@code BETWEEN} is no constant to the planner, so that it
 * can't walk the primary key instead, past everything that other lanes have published.
 */
final class ClaimedReads {

    /*
     * %2$s yields seq, lane, aggregate_hash, attempts and behind. The limits cut by seq, so of every lane and of every
     * aggregate a beginning remains. The payload of a record that must wait is not fetched.
     */
    private static final String WITH_EVENTS = """
            SELECT *, CASE WHEN row_number() OVER (ORDER BY seq) = 1 THEN pg_current_snapshot()::text END AS snapshot
            FROM (SELECT d.*, e.event_id, e.aggregate_type, e.aggregate_id, e.aggregate_version, e.topic, e.event_type,
                         e.schema_version, e.content_type, e.payload, e.headers::text AS headers, e.created_at,
                         sum(octet_length(e.payload)) OVER (ORDER BY d.seq) AS bytes_so_far,
                         count(*) OVER () AS candidates
                  FROM (%2$s) d
                  LEFT JOIN LATERAL (SELECT * FROM %1$s WHERE seq = d.seq AND NOT d.behind LIMIT 1) e ON true) AS sized
            WHERE coalesce(bytes_so_far, 0) <= :bytes OR (:alone AND bytes_so_far = octet_length(payload))
            ORDER BY seq
            """;

    private static final String BEHIND = """
            (SELECT w.seq
             FROM %1$s w
             WHERE w.lane = r.lane AND w.aggregate_hash BETWEEN r.aggregate_hash AND r.aggregate_hash
               AND w.published_at IS NULL AND w.waiting
             ORDER BY w.aggregate_hash, w.seq
             LIMIT 1) IS NOT NULL""";

    /* Goes back behind the position as far as the cursor has doubts; see LaneCursor. */
    private static final String READY = """
            SELECT r.*, %2$s AS behind
            FROM unnest(:lanes::smallint[], :starts::bigint[], :positions::bigint[], :rooms::integer[])
                AS claimed (lane, start, position, room)
            CROSS JOIN LATERAL (SELECT least(min(u.above), claimed.start) AS start
                                FROM unnest(:runningLanes::smallint[], :running::bigint[], :runningAbove::bigint[])
                                    AS u (lane, xid, above)
                                WHERE u.lane = claimed.lane
                                  AND pg_visible_in_snapshot(u.xid::text::xid8, pg_current_snapshot())) f
            CROSS JOIN LATERAL (SELECT q.seq, q.lane, q.aggregate_hash, q.attempts
                                FROM %1$s q
                                WHERE q.lane BETWEEN claimed.lane AND claimed.lane
                                  AND q.published_at IS NULL AND NOT q.waiting AND q.parked_at IS NULL
                                  AND q.seq > f.start
                                  AND (q.seq > claimed.position OR q.seq <> ALL (:outstanding::bigint[]))
                                ORDER BY q.lane, q.seq
                                LIMIT claimed.room) r
            ORDER BY seq
            LIMIT :records
            """;

    private static final String DUE = """
            SELECT w.seq, w.lane, w.aggregate_hash, w.attempts, false AS behind
            FROM unnest(:lanes::smallint[], :rooms::integer[]) AS claimed (lane, room)
            CROSS JOIN LATERAL (SELECT h.seq, h.aggregate_hash
                                FROM %1$s h
                                WHERE h.lane = claimed.lane AND h.published_at IS NULL AND h.next_attempt_at <= now()
                                  AND h.aggregate_hash <> ALL (:outstanding::bigint[])
                                ORDER BY h.next_attempt_at
                                LIMIT least(claimed.room, %3$d)) head
            CROSS JOIN LATERAL (%2$s) w
            ORDER BY seq
            LIMIT :records
            """;

    private static final String HEAD_AND_WHAT_WAITS_BEHIND_IT = """
            SELECT q.seq, q.lane, q.aggregate_hash, q.attempts
            FROM %1$s q
            WHERE q.lane = claimed.lane AND q.aggregate_hash BETWEEN head.aggregate_hash AND head.aggregate_hash
              AND q.published_at IS NULL AND q.waiting AND q.seq >= head.seq
            ORDER BY q.aggregate_hash, q.seq
            LIMIT least(claimed.room, %2$d)""";

    /** Retries of a lane, and what waits behind each, that one read takes: it sorts the product of both. */
    private static final int FEW = 32;

    private static final String HEAD =
            "SELECT q.seq, q.lane, q.aggregate_hash, q.attempts FROM %1$s q WHERE q.seq = head.seq";

    private final JdbcClient jdbc;
    private final RowReader rows = new RowReader();
    private final String ready;
    private final String due;

    ClaimedReads(JdbcClient jdbc, TableNames names, Ordering ordering) {
        this.jdbc = jdbc;
        String events = names.qualified("event");
        String deliveries = names.qualified("delivery");
        boolean ordered = ordering != Ordering.NONE;
        String behind = ordered ? BEHIND.formatted(deliveries) : "false";
        String waiting = (ordered ? HEAD_AND_WHAT_WAITS_BEHIND_IT : HEAD).formatted(deliveries, FEW);
        this.ready = WITH_EVENTS.formatted(events, READY.formatted(deliveries, behind));
        this.due = WITH_EVENTS.formatted(events, DUE.formatted(deliveries, waiting, FEW));
    }

    /** Retries that are due, each with what waits behind it, of aggregates of which nothing is outstanding. */
    Found due(List<LaneCursor> cursors, Outstanding outstanding, BatchLimits limits) {
        return run(jdbc.sql(due)
                .param("outstanding", outstanding.aggregates().toArray(Long[]::new))
                .param("alone", true)
                .params(common(cursors, outstanding, limits)));
    }

    /**
     * Records that were never tried, from each lane's position on.
     *
     * @param alone whether the first one may be larger than the limit on bytes
     */
    Found ready(List<LaneCursor> cursors, Outstanding outstanding, BatchLimits limits, boolean alone) {
        List<Running> running = cursors.stream().flatMap(Running::of).toList();
        return run(jdbc.sql(ready)
                .param("starts", cursors.stream().map(LaneCursor::start).toArray(Long[]::new))
                .param("positions", cursors.stream().map(LaneCursor::position).toArray(Long[]::new))
                .param("runningLanes", running.stream().map(Running::lane).toArray(Integer[]::new))
                .param("running", running.stream().map(Running::transaction).toArray(Long[]::new))
                .param("runningAbove", running.stream().map(Running::above).toArray(Long[]::new))
                .param("outstanding", outstanding.seqs().toArray(Long[]::new))
                .param("alone", alone)
                .params(common(cursors, outstanding, limits)));
    }

    private static Map<String, Object> common(List<LaneCursor> cursors, Outstanding outstanding, BatchLimits limits) {
        return Map.of(
                "lanes",
                cursors.stream().map(LaneCursor::lane).toArray(Integer[]::new),
                "rooms",
                cursors.stream()
                        .map(cursor -> room(cursor, outstanding, limits))
                        .toArray(Integer[]::new),
                "records",
                limits.records(),
                "bytes",
                limits.bytes());
    }

    /** How many more records of a lane may be read. */
    static int room(LaneCursor cursor, Outstanding outstanding, BatchLimits limits) {
        return Math.max(0, Math.min(limits.records(), limits.perLane() - outstanding.ofLane(cursor.lane())));
    }

    private Found run(JdbcClient.StatementSpec statement) {
        Found found = new Found();
        statement.query(row -> {
            add(row, found);
        });
        return found;
    }

    private void add(ResultSet row, Found found) throws SQLException {
        found.candidates(row.getInt("candidates"));
        @Nullable String snapshot = row.getString("snapshot");
        if (snapshot != null) {
            found.snapshot(Snapshot.parse(snapshot));
        }
        if (row.getBoolean("behind")) {
            found.addBehind(new Place(row.getLong("seq"), row.getInt("lane"), row.getLong("aggregate_hash")));
        } else {
            found.add(rows.delivery(row));
        }
    }

    /** A transaction that may still add something to a lane above a number. */
    private record Running(int lane, long transaction, long above) {

        static Stream<Running> of(LaneCursor cursor) {
            return cursor.running().entrySet().stream()
                    .map(entry -> new Running(cursor.lane(), entry.getKey(), entry.getValue()));
        }
    }
}
