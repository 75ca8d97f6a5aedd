package dev.outbox.jdbc;

import dev.outbox.postgresql.TableNames;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Records that wait beside their lane's queue. Each method needs a transaction; {@link #lock} comes first, so that those who
 * look at what waits see each other, also when one of them is a relay that has lost its lanes.
 */
final class WaitingQueue {

    private static final String LOCK =
            "SELECT pg_advisory_xact_lock(key)::text FROM unnest(:keys::bigint[]) AS l (key)";

    private static final String SET_ASIDE =
            "UPDATE %1$s SET waiting = true WHERE seq = ANY (:seqs) AND published_at IS NULL AND parked_at IS NULL";

    private static final String ARM = """
            UPDATE %1$s d SET next_attempt_at = clock_timestamp()
            FROM (SELECT DISTINCT lane, aggregate_hash
                  FROM unnest(:lanes::smallint[], :hashes::bigint[]) AS a (lane, aggregate_hash)) touched
            CROSS JOIN LATERAL (SELECT w.seq
                                FROM %1$s w
                                WHERE w.lane = touched.lane AND w.aggregate_hash = touched.aggregate_hash
                                  AND w.published_at IS NULL AND w.waiting
                                ORDER BY w.seq
                                LIMIT 1) head
            WHERE d.seq = head.seq AND d.parked_at IS NULL AND d.next_attempt_at IS NULL
            """;

    private final JdbcClient jdbc;
    private final AdvisoryKeys keys;
    private final String setAside;
    private final String arm;

    WaitingQueue(JdbcClient jdbc, TableNames names) {
        this.jdbc = jdbc;
        this.keys = new AdvisoryKeys(names);
        this.setAside = SET_ASIDE.formatted(names.qualified("delivery"));
        this.arm = ARM.formatted(names.qualified("delivery"));
    }

    /** Keeps everybody else from looking at what waits in these lanes until the transaction ends. */
    void lock(Collection<Place> places) {
        Long[] sorted = places.stream()
                .map(Place::lane)
                .distinct()
                .sorted()
                .map(keys::waitingLane)
                .toArray(Long[]::new);
        jdbc.sql(LOCK).param("keys", sorted).query(String.class).list();
    }

    /** Takes records out of their lane's queue. */
    void setAside(List<Place> places) {
        if (!places.isEmpty()) {
            jdbc.sql(setAside)
                    .param("seqs", array(places, Place::seq, Long[]::new))
                    .update();
        }
    }

    /** Makes the first waiting record of each aggregate due, unless it is parked or has its time already. */
    void arm(List<Place> places) {
        jdbc.sql(arm)
                .param("lanes", array(places, Place::lane, Integer[]::new))
                .param("hashes", array(places, Place::aggregateHash, Long[]::new))
                .update();
    }

    private static <V> V[] array(List<Place> places, Function<Place, V> column, IntFunction<V[]> array) {
        return places.stream().map(column).toArray(array);
    }
}
