package dev.outbox.jdbc;

import dev.outbox.Backlog;
import dev.outbox.postgresql.TableNames;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Counts what is not published, up to a limit, along the partial indexes that hold nothing else. */
final class BacklogQuery {

    /** Beyond this many records it stops counting. */
    static final int COUNT_LIMIT = 250_000;

    private static final String BACKLOG = """
            SELECT
                (SELECT count(*)
                 FROM (SELECT
                       FROM %2$s l
                       CROSS JOIN LATERAL (SELECT FROM %1$s d
                                           WHERE d.lane BETWEEN l.lane AND l.lane AND d.published_at IS NULL
                                             AND NOT d.waiting AND d.parked_at IS NULL AND d.seq > l.floor
                                           ORDER BY d.lane, d.seq LIMIT :limit) r
                       LIMIT :limit) ready),
                (SELECT count(*) FROM (SELECT FROM %1$s WHERE published_at IS NULL AND waiting
                                       ORDER BY lane, aggregate_hash, seq LIMIT :limit) w),
                (SELECT count(*) FROM (SELECT FROM %1$s
                                       WHERE published_at IS NULL AND parked_at IS NOT NULL AND discarded_at IS NULL
                                       ORDER BY parked_at LIMIT :limit) p),
                (SELECT count(*) FROM (SELECT waiting FROM %1$s
                                       WHERE published_at IS NULL AND parked_at IS NOT NULL AND discarded_at IS NULL
                                       ORDER BY parked_at LIMIT :limit) p
                 WHERE NOT p.waiting),
                (SELECT extract(epoch FROM clock_timestamp() - min(e.created_at))
                 FROM (SELECT (SELECT d.seq FROM %1$s d
                               WHERE d.lane BETWEEN l.lane AND l.lane AND d.published_at IS NULL
                                 AND NOT d.waiting AND d.parked_at IS NULL AND d.seq > l.floor
                               ORDER BY d.lane, d.seq LIMIT 1) AS seq
                       FROM %2$s l
                       UNION ALL
                       SELECT min(d.seq)
                       FROM (SELECT seq FROM %1$s WHERE published_at IS NULL AND next_attempt_at IS NOT NULL
                             ORDER BY lane, next_attempt_at LIMIT :limit) d) heads
                 CROSS JOIN LATERAL (SELECT created_at FROM %3$s WHERE seq = heads.seq LIMIT 1) e)
            """;

    private final JdbcClient jdbc;
    private final String backlog;

    BacklogQuery(JdbcClient jdbc, TableNames names) {
        this.jdbc = jdbc;
        this.backlog =
                BACKLOG.formatted(names.qualified("delivery"), names.qualified("lane"), names.qualified("event"));
    }

    Backlog get() {
        return jdbc.sql(backlog)
                .param("limit", COUNT_LIMIT)
                .query((row, number) -> backlog(
                        row.getLong(1),
                        row.getLong(2),
                        row.getLong(3),
                        row.getLong(4),
                        Duration.ofMillis(Math.round(row.getDouble(5) * 1000))))
                .single();
    }

    /**
     * @param passedOver parked records that hold up nobody, so that they don't count as waiting
     */
    private static Backlog backlog(long ready, long waiting, long parked, long passedOver, Duration oldest) {
        long blocked = waiting - (parked - passedOver);
        return new Backlog(ready + blocked, blocked, parked, oldest);
    }
}
