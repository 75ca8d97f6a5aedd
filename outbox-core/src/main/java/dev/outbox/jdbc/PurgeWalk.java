package dev.outbox.jdbc;

import dev.outbox.PurgeSettings;
import dev.outbox.PurgeStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Walks a table of deliveries upwards by its primary key and deletes what is old, with its event.
 *
 * <p>Nothing is published before it is created, and events are created nearly in the order of {@code seq}. So the walk
 * ends at the last event that is older than the retention, which a binary search finds; what is younger is never looked
 * at. Below that, everything is old but what was published late or not at all; a round that has left {@link #MOST_LEFT} of
 * such records ends, and the next one goes on from there.
 */
final class PurgeWalk {

    /** So many records that have to stay are passed by one round. */
    static final int MOST_LEFT = 100_000;

    /* True of a delivery that nobody needs any more, and neither true nor false of one that has not ended. */
    static final String OLD = "CASE WHEN published_at IS NOT NULL THEN published_at"
            + " WHEN parked_at IS NOT NULL AND NOT waiting THEN discarded_at END"
            + " <= now() - :retention * interval '1 millisecond'";

    /*
     * low is always an event that is old, and at and above high none is. A gap in seq narrows the search like a young
     * event: what stands above the gap is looked at when the search goes up again.
     */
    private static final String LAST_OLD_EVENT = """
            WITH RECURSIVE cutoff AS MATERIALIZED (
                SELECT now() - :retention * interval '1 millisecond' AS time
            ), search (low, high) AS (
                SELECT lowest.seq, (SELECT max(seq) + 1 FROM %1$s)
                FROM cutoff
                CROSS JOIN LATERAL (SELECT e.seq, e.created_at FROM %1$s e WHERE e.seq > :after ORDER BY e.seq LIMIT 1) lowest
                WHERE lowest.created_at <= cutoff.time
                UNION ALL
                SELECT CASE WHEN found.old THEN found.seq ELSE s.low END,
                       CASE WHEN found.old THEN s.high ELSE s.low + (s.high - s.low) / 2 END
                FROM search s
                CROSS JOIN cutoff
                LEFT JOIN LATERAL (SELECT e.seq, e.created_at <= cutoff.time AS old
                                   FROM %1$s e
                                   WHERE e.seq >= s.low + (s.high - s.low) / 2 AND e.seq < s.high
                                   ORDER BY e.seq
                                   LIMIT 1) found ON true
                WHERE s.high - s.low > 1
            )
            SELECT max(low) FROM search
            """;

    /*
     * Only what is deleted is locked. Events are locked like deliveries, so that nobody who holds one of either is waited
     * for.
     */
    private static final String STEP = """
            WITH walked AS MATERIALIZED (
                SELECT seq,
                       %3$s AS old
                FROM %1$s
                WHERE seq > :after AND seq <= :until
                ORDER BY seq
                LIMIT :batch
            ), locked AS MATERIALIZED (
                SELECT d.seq
                FROM (SELECT seq
                      FROM %1$s
                      WHERE seq = ANY (ARRAY (SELECT seq FROM walked WHERE old))
                        AND %3$s
                      FOR UPDATE SKIP LOCKED) d
                CROSS JOIN LATERAL (SELECT FROM %2$s WHERE seq = d.seq LIMIT 1 FOR UPDATE SKIP LOCKED) e
            ), events AS (
                DELETE FROM %2$s WHERE seq = ANY (ARRAY (SELECT seq FROM locked))
            ), deliveries AS (
                DELETE FROM %1$s WHERE seq = ANY (ARRAY (SELECT seq FROM locked)) RETURNING seq
            )
            SELECT (SELECT count(*) FROM walked), (SELECT max(seq) FROM walked), (SELECT count(*) FROM deliveries)
            """;

    private final JdbcClient jdbc;
    private final Duration retention;
    private final int batchSize;
    private final String lastOldEvent;
    private final String step;
    private @Nullable Long until;
    private long after;
    private int left;

    PurgeWalk(JdbcClient jdbc, PurgeSettings settings, String deliveries, String events) {
        this.jdbc = jdbc;
        this.retention = settings.retention();
        this.batchSize = settings.batchSize();
        this.lastOldEvent = LAST_OLD_EVENT.formatted(events);
        this.step = STEP.formatted(deliveries, events, OLD);
    }

    /** Begins a round, where the last one has left off or at the bottom, or goes on. Needs a transaction. */
    PurgeStore.Step step() {
        if (until == null) {
            left = 0;
            until = lastOldEvent();
        }
        if (until == null) {
            restart();
            return new PurgeStore.Step(0, true);
        }
        return step(until);
    }

    /** The next round begins at the bottom. */
    void restart() {
        until = null;
        after = 0;
    }

    private PurgeStore.Step step(long end) {
        Walked walked = jdbc.sql(step)
                .param("retention", retention.toMillis())
                .param("after", after)
                .param("until", end)
                .param("batch", batchSize)
                .query((row, number) -> new Walked(row.getInt(1), row.getLong(2), row.getInt(3)))
                .single();
        left += walked.records() - walked.removed();
        if (walked.records() < batchSize) {
            restart();
        } else {
            after = walked.last();
            until = left < MOST_LEFT ? until : null;
        }
        return new PurgeStore.Step(walked.removed(), until == null);
    }

    private @Nullable Long lastOldEvent() {
        return jdbc.sql(lastOldEvent)
                .param("retention", retention.toMillis())
                .param("after", after)
                .query((row, number) -> row.getObject(1, Long.class))
                .list()
                .get(0);
    }

    private record Walked(int records, long last, int removed) {}
}
