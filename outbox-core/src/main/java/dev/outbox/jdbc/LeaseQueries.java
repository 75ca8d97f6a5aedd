package dev.outbox.jdbc;

import dev.outbox.postgresql.TableNames;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What leases ask of the table of lanes. Time is the database's; each method needs a transaction. */
final class LeaseQueries {

    private static final String BEGIN = """
            UPDATE %1$s
            SET owner = :owner, token = token + 1, leased_until = clock_timestamp() + :lease * interval '1 millisecond'
            WHERE lane = ANY (:lanes::smallint[])
            RETURNING lane, token
            """;

    /* In the order of lanes, as the check below, so that the two never wait for each other in a ring. */
    private static final String RENEW = """
            WITH mine AS (SELECT l.lane
                          FROM unnest(:lanes::smallint[], :tokens::bigint[]) AS m (lane, token)
                          JOIN %1$s l ON l.lane = m.lane AND l.token = m.token AND l.owner = :owner
                          ORDER BY l.lane
                          FOR UPDATE OF l)
            UPDATE %1$s SET leased_until = clock_timestamp() + :lease * interval '1 millisecond'
            WHERE lane IN (SELECT lane FROM mine)
            """;

    /* Nobody can take the lanes over before the writes of this transaction are there. */
    private static final String CHECK = """
            SELECT l.lane
            FROM unnest(:lanes::smallint[], :tokens::bigint[]) AS m (lane, token)
            JOIN %1$s l ON l.lane = m.lane AND l.token = m.token AND l.owner = :owner
            ORDER BY l.lane
            FOR SHARE OF l
            """;

    private static final String END = """
            UPDATE %1$s l SET owner = NULL, leased_until = NULL
            FROM unnest(:lanes::smallint[], :tokens::bigint[]) AS m (lane, token)
            WHERE l.lane = m.lane AND l.token = m.token AND l.owner = :owner
            """;

    private final JdbcClient jdbc;
    private final UUID owner;
    private final long lease;
    private final String begin;
    private final String renew;
    private final String check;
    private final String end;

    LeaseQueries(JdbcClient jdbc, TableNames names, UUID owner, Duration lease) {
        this.jdbc = jdbc;
        this.owner = owner;
        this.lease = lease.toMillis();
        String lane = names.qualified("lane");
        this.begin = BEGIN.formatted(lane);
        this.renew = RENEW.formatted(lane);
        this.check = CHECK.formatted(lane);
        this.end = END.formatted(lane);
    }

    /** Writes leases on lanes whose rows the transaction has locked; returns their tokens. */
    Map<Integer, Long> begin(List<HeldLanes.Lane> lanes) {
        Map<Integer, Long> tokens = new HashMap<>();
        jdbc.sql(begin)
                .param("owner", owner)
                .param("lease", lease)
                .param("lanes", lanes.stream().map(HeldLanes.Lane::lane).toArray(Integer[]::new))
                .query(row -> {
                    tokens.put(row.getInt("lane"), row.getLong("token"));
                });
        return tokens;
    }

    /** Begins the time of leases anew; returns how many were still held. */
    int renew(Map<Integer, Long> tokens) {
        return statement(renew, tokens).param("lease", lease).update();
    }

    /** Returns how many leases are held, and keeps them until the transaction ends. */
    int check(Map<Integer, Long> tokens) {
        return statement(check, tokens).query(Integer.class).list().size();
    }

    void end(Map<Integer, Long> tokens) {
        statement(end, tokens).update();
    }

    private JdbcClient.StatementSpec statement(String sql, Map<Integer, Long> tokens) {
        return jdbc.sql(sql)
                .param("lanes", tokens.keySet().toArray(Integer[]::new))
                .param("tokens", tokens.values().toArray(Long[]::new))
                .param("owner", owner);
    }
}
