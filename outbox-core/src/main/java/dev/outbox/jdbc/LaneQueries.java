package dev.outbox.jdbc;

import dev.outbox.postgresql.TableNames;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What both claim modes ask of the table of lanes. Every look-up follows an index from the lane's floor on. */
final class LaneQueries {

    /** A relay that was asked for a lane leaves it alone for so long. */
    static final Duration REQUEST_LIFE = Duration.ofSeconds(3);

    /*
     * A floor above the last number drawn is of another life of the sequence: the tables were emptied and restarted.
     */
    private static final String FLOOR = "CASE WHEN l.floor > (SELECT s.last_value FROM %1$s s) THEN 0 ELSE l.floor END";

    private static final String WITH_WORK = """
            FROM %1$s l
            CROSS JOIN LATERAL (SELECT (SELECT d.seq
                                        FROM %2$s d
                                        WHERE d.lane BETWEEN l.lane AND l.lane AND d.published_at IS NULL
                                          AND NOT d.waiting AND d.parked_at IS NULL AND d.seq > %3$s
                                        ORDER BY d.lane, d.seq
                                        LIMIT 1) AS ready,
                                       (SELECT d.seq
                                        FROM %2$s d
                                        WHERE d.lane = l.lane AND d.published_at IS NULL AND d.next_attempt_at <= now()
                                        ORDER BY d.next_attempt_at
                                        LIMIT 1) AS due
                                OFFSET 0) w
            WHERE (w.ready IS NOT NULL OR w.due IS NOT NULL)
              AND (SELECT true FROM %4$s p WHERE p.topic = '') IS NULL
            """;

    private static final String FREE = """
              AND (l.leased_until IS NULL OR l.leased_until < clock_timestamp())
              AND l.lane <> ALL (:held::smallint[])
              AND (SELECT true FROM %1$s r
                   WHERE r.lane = l.lane AND r.claimant <> :claimant
                     AND r.requested_at > clock_timestamp() - :life * interval '1 millisecond') IS NULL
            """;

    private static final String COLUMNS = "l.lane, %1$s AS floor, (SELECT array_agg(p.topic) FROM %2$s p) AS paused";

    /* Lanes are taken in random order, so that several relays share them. */
    private static final String TAKE = "SELECT %1$s%2$s%3$sORDER BY random() LIMIT :lanes FOR UPDATE OF l SKIP LOCKED";

    private static final String PICK_SET =
            "SELECT l.lane %1$s%2$sORDER BY random() LIMIT 1 FOR UPDATE OF l SKIP LOCKED";

    private static final String TAKE_SET = """
            SELECT %1$s
            FROM %2$s l
            WHERE l.lane >= :first AND l.lane < :first + :lanes
              AND (l.leased_until IS NULL OR l.leased_until < clock_timestamp())
            ORDER BY l.lane FOR UPDATE OF l SKIP LOCKED
            """;

    private static final String HAS_WORK = "SELECT EXISTS (SELECT %1$s)";

    /* Requests are written and withdrawn in the order of the lanes, so that no two who do it deadlock. */
    private static final String REQUEST = """
            INSERT INTO %1$s AS r (lane, claimant, requested_at)
            SELECT lane, :claimant, clock_timestamp()
            FROM (SELECT l.lane %2$sORDER BY random() LIMIT :lanes) AS drawn
            ORDER BY lane
            ON CONFLICT (lane) DO UPDATE SET claimant = excluded.claimant, requested_at = excluded.requested_at
            WHERE r.requested_at < clock_timestamp() - :life * interval '1 millisecond'
            """;

    private static final String WITHDRAW = """
            DELETE FROM %1$s
            WHERE lane IN (SELECT lane FROM %1$s WHERE claimant = :claimant ORDER BY lane FOR UPDATE)
              AND claimant = :claimant
            """;

    private static final String MOVE_FLOORS = """
            UPDATE %1$s l SET floor = f.floor
            FROM unnest(:lanes::smallint[], :floors::bigint[]) AS f (lane, floor)
            WHERE l.lane = f.lane
            """;

    /* Needed only by rows that were written past the library, which may have no transaction id before their number. */
    private static final String LOWER_FLOORS = """
            UPDATE %1$s SET floor = 0
            WHERE lane IN (SELECT l.lane
                           FROM %1$s l
                           CROSS JOIN LATERAL (SELECT d.seq
                                               FROM %2$s d
                                               WHERE d.lane BETWEEN l.lane AND l.lane AND d.published_at IS NULL
                                                 AND NOT d.waiting AND d.parked_at IS NULL AND d.seq <= l.floor
                                               ORDER BY d.lane, d.seq
                                               LIMIT 1) below
                           WHERE l.floor > 0
                           ORDER BY l.lane
                           FOR UPDATE OF l SKIP LOCKED)
            """;

    private final JdbcClient jdbc;
    private final UUID claimant = UUID.randomUUID();
    private final String take;
    private final String pickSet;
    private final String takeSet;
    private final String hasWork;
    private final String request;
    private final String withdraw;
    private final String moveFloors;
    private final String lowerFloors;

    LaneQueries(JdbcClient jdbc, TableNames names) {
        this.jdbc = jdbc;
        String lane = names.qualified("lane");
        String delivery = names.qualified("delivery");
        String requests = names.qualified("lane_request");
        String pauses = names.qualified("pause");
        String floor = FLOOR.formatted(names.qualified("event_seq_seq"));
        String columns = COLUMNS.formatted(floor, pauses);
        String withWork = WITH_WORK.formatted(lane, delivery, floor, pauses);
        String free = FREE.formatted(requests);
        this.take = TAKE.formatted(columns + " ", withWork, free);
        this.pickSet = PICK_SET.formatted(withWork, free);
        this.takeSet = TAKE_SET.formatted(columns, lane);
        this.hasWork = HAS_WORK.formatted(withWork);
        this.request = REQUEST.formatted(requests, withWork);
        this.withdraw = WITHDRAW.formatted(requests);
        this.moveFloors = MOVE_FLOORS.formatted(lane);
        this.lowerFloors = LOWER_FLOORS.formatted(lane, delivery);
    }

    /** Who asks for lanes, and holds leases. */
    UUID claimant() {
        return claimant;
    }

    boolean hasWork() {
        return jdbc.sql(hasWork).query(Boolean.class).single();
    }

    /**
     * Locks the rows of up to so many free lanes with work until the transaction ends.
     *
     * @param held lanes that the transaction has taken before
     */
    Taken take(int lanes, Collection<Integer> held) {
        return taken(jdbc.sql(take)
                .param("lanes", lanes)
                .param("held", held.toArray(Integer[]::new))
                .param("claimant", claimant)
                .param("life", REQUEST_LIFE.toMillis()));
    }

    /** Locks the rows of a set of so many lanes that has work; takes fewer when others hold some of it. */
    Taken takeSet(int lanes) {
        List<Integer> picked = jdbc.sql(pickSet)
                .param("held", new Integer[0])
                .param("claimant", claimant)
                .param("life", REQUEST_LIFE.toMillis())
                .query(Integer.class)
                .list();
        if (picked.isEmpty()) {
            return Taken.NOTHING;
        }
        int first = picked.get(0) / lanes * lanes;
        return taken(jdbc.sql(takeSet).param("first", first).param("lanes", lanes));
    }

    void request(int lanes) {
        jdbc.sql(request)
                .param("claimant", claimant)
                .param("lanes", lanes)
                .param("life", REQUEST_LIFE.toMillis())
                .update();
    }

    void withdrawRequests() {
        jdbc.sql(withdraw).param("claimant", claimant).update();
    }

    void moveFloors(Map<Integer, Long> floors) {
        if (!floors.isEmpty()) {
            jdbc.sql(moveFloors)
                    .param("lanes", floors.keySet().toArray(Integer[]::new))
                    .param("floors", floors.values().toArray(Long[]::new))
                    .update();
        }
    }

    /** Puts floors right that stand above something to be published; returns how many. */
    int lowerFloors() {
        return jdbc.sql(lowerFloors).update();
    }

    private static Taken taken(JdbcClient.StatementSpec statement) {
        Taken taken = new Taken(new ArrayList<>(), new HashSet<>());
        statement.query(row -> {
            taken.add(row);
        });
        return taken;
    }

    /**
     * What was taken.
     *
     * @param lanes which lanes
     * @param paused topics that operators have stopped
     */
    record Taken(List<HeldLanes.Lane> lanes, Set<String> paused) {

        static final Taken NOTHING = new Taken(List.of(), Set.of());

        private void add(ResultSet row) throws SQLException {
            lanes.add(new HeldLanes.Lane(row.getInt("lane"), row.getLong("floor")));
            Array topics = row.getArray("paused");
            if (topics != null) {
                paused.addAll(List.of((String[]) topics.getArray()));
            }
        }
    }
}
