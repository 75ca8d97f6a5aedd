package dev.outbox.jdbc;

import dev.outbox.postgresql.TableNames;
import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What waits of each aggregate. The first that waits is either parked or has the time of its next attempt, and no other
 * one has. Whoever changes what waits locks the lanes, then writes, then arms. Each method needs a transaction.
 */
final class WaitingQueue {

    private static final String FIRST = """
            CROSS JOIN LATERAL (SELECT w.seq
                                FROM %1$s w
                                WHERE w.lane = touched.lane
                                  AND w.aggregate_hash BETWEEN touched.aggregate_hash AND touched.aggregate_hash
                                  AND w.published_at IS NULL AND w.waiting
                                ORDER BY w.aggregate_hash, w.seq
                                LIMIT 1) head
            """;

    private static final String ARM = """
            UPDATE %1$s d SET next_attempt_at = clock_timestamp()
            FROM (SELECT DISTINCT lane, aggregate_hash
                  FROM unnest(:lanes::smallint[], :hashes::bigint[]) AS a (lane, aggregate_hash)) touched
            """ + FIRST + """
            WHERE d.seq = head.seq AND d.parked_at IS NULL AND d.next_attempt_at IS NULL
            """;

    private static final String SET_ASIDE =
            "UPDATE %1$s SET waiting = true WHERE seq = ANY (:seqs) AND published_at IS NULL AND parked_at IS NULL";

    private static final String DISARM = """
            UPDATE %1$s d SET next_attempt_at = NULL
            FROM (SELECT lane, aggregate_hash, min(seq) AS first
                  FROM unnest(:seqs::bigint[], :lanes::smallint[], :hashes::bigint[]) AS a (seq, lane, aggregate_hash)
                  GROUP BY lane, aggregate_hash) touched
            """ + FIRST + """
            WHERE d.seq = head.seq AND head.seq > touched.first AND d.next_attempt_at IS NOT NULL
            """;

    /* Taken before looking at what waits, in one order, so that those who change it see each other. */
    private static final String LOCK =
            "SELECT pg_advisory_xact_lock(key)::text FROM unnest(:keys::bigint[]) AS l (key)";

    private final JdbcClient jdbc;
    private final AdvisoryKeys keys;
    private final String setAside;
    private final String arm;
    private final String disarm;

    WaitingQueue(JdbcClient jdbc, TableNames names) {
        this.jdbc = jdbc;
        this.keys = new AdvisoryKeys(names);
        this.setAside = SET_ASIDE.formatted(names.qualified("delivery"));
        this.arm = ARM.formatted(names.qualified("delivery"));
        this.disarm = DISARM.formatted(names.qualified("delivery"));
    }

    /** Locks the lanes to the end of the transaction. */
    void lock(Collection<Integer> lanes) {
        Long[] sorted =
                lanes.stream().distinct().sorted().map(keys::waitingLane).toArray(Long[]::new);
        jdbc.sql(LOCK).param("keys", sorted).query(String.class).list();
    }

    /** Takes records out of their lane's queue. */
    void setAside(List<Place> places) {
        if (!places.isEmpty()) {
            jdbc.sql(setAside).param("seqs", seqs(places)).update();
        }
    }

    /** Makes the first that waits of these aggregates due, unless it is parked or has its time. */
    void arm(List<Place> places) {
        jdbc.sql(arm)
                .param("lanes", lanes(places))
                .param("hashes", hashes(places))
                .update();
    }

    /** Takes its time from the first that waits of these aggregates if one of the records is about to come before it. */
    void disarm(List<Place> places) {
        jdbc.sql(disarm)
                .param("seqs", seqs(places))
                .param("lanes", lanes(places))
                .param("hashes", hashes(places))
                .update();
    }

    private static Long[] seqs(List<Place> places) {
        return places.stream().map(Place::seq).toArray(Long[]::new);
    }

    private static Integer[] lanes(List<Place> places) {
        return places.stream().map(Place::lane).toArray(Integer[]::new);
    }

    private static Long[] hashes(List<Place> places) {
        return places.stream().map(Place::aggregateHash).toArray(Long[]::new);
    }
}
