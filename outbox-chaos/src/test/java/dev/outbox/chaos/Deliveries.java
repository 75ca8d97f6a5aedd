package dev.outbox.chaos;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What the outbox's own tables say. */
final class Deliveries {

    private static final String PUBLISHED_AT = """
            SELECT e.event_id, floor(extract(epoch FROM d.published_at) * 1000)::bigint AS published_at
            FROM outbox_delivery d JOIN outbox_event e USING (seq)
            WHERE d.published_at IS NOT NULL
            """;

    private static final String PUBLISHED = "SELECT count(*) FROM outbox_delivery WHERE published_at IS NOT NULL";

    private static final String UNPUBLISHED = "SELECT count(*) FROM outbox_delivery WHERE published_at IS NULL";

    private static final String BLAMED = """
            SELECT format('event %s of aggregate %s: attempts %s, parked at %s, published at %s, last error: %s',
                          e.event_id, e.aggregate_id, d.attempts, d.parked_at, d.published_at, d.last_error)
            FROM outbox_delivery d JOIN outbox_event e USING (seq)
            WHERE d.attempts > 0 OR d.parked_at IS NOT NULL
            ORDER BY seq
            """;

    private static final String PENDING = """
            SELECT format('event %s of aggregate %s: waiting %s, attempts %s, next attempt at %s, last error: %s',
                          e.event_id, e.aggregate_id, d.waiting, d.attempts, d.next_attempt_at, d.last_error)
            FROM outbox_delivery d JOIN outbox_event e USING (seq)
            WHERE d.published_at IS NULL
            ORDER BY seq
            LIMIT 10
            """;

    private final JdbcClient jdbc;

    Deliveries(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** When each event was marked published, in milliseconds by the server's clock. */
    Map<String, Long> publishedAt() {
        Map<String, Long> times = new HashMap<>();
        jdbc.sql(PUBLISHED_AT).query(row -> {
            times.put(row.getString("event_id"), row.getLong("published_at"));
        });
        return times;
    }

    long published() {
        return count(PUBLISHED);
    }

    long unpublished() {
        return count(UNPUBLISHED);
    }

    /** Records that cost attempts or were parked, though no record is at fault when servers and networks fail. */
    List<String> blamed() {
        return jdbc.sql(BLAMED).query(String.class).list();
    }

    /** The first records that are not published. */
    List<String> pending() {
        return jdbc.sql(PENDING).query(String.class).list();
    }

    private long count(String sql) {
        return jdbc.sql(sql).query(Long.class).single();
    }
}
