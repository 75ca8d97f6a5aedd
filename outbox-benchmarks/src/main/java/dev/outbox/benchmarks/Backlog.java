package dev.outbox.benchmarks;

import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Fills the outbox's tables quickly with rows like those of appends: numbers of the same sequence, drawn after the
 * transaction's id, time-ordered event ids, the aggregate's hash and lane, both tables in one transaction.
 */
final class Backlog {

    private static final int CHUNK = 250_000;

    private static final String SEED = "SELECT pg_current_xact_id()::text || setseed(:seed)::text";

    /* A time-ordered UUID: the milliseconds, the version, and the end of a random one. */
    private static final String EVENTS = """
            WITH drawn AS MATERIALIZED (
                SELECT nextval('outbox_event_seq_seq') AS seq, :first + floor(random() * :spread)::integer AS number
                FROM generate_series(1, :events)
            )
            INSERT INTO outbox_event (seq, event_id, aggregate_type, aggregate_id, topic, event_type, schema_version,
                                      content_type, payload, headers, created_at)
            OVERRIDING SYSTEM VALUE
            SELECT d.seq,
                   (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
                    || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
                   'order', a.id, :topic, 'order.changed', 1, 'application/json',
                   CASE WHEN :largeEvery > 0 AND d.seq % greatest(:largeEvery, 1) = 0
                        THEN a.payload || convert_to(repeat(' ', :largeBytes), 'UTF8') ELSE a.payload END,
                   '{}', clock_timestamp() - :age * interval '1 second'
            FROM drawn d JOIN benchmark_aggregate a ON a.number = d.number
            ORDER BY d.seq
            """;

    private static final String DELIVERIES = """
            INSERT INTO outbox_delivery (seq, lane, aggregate_hash, published_at)
            SELECT e.seq, a.lane, a.hash, CASE WHEN :age > 0 THEN now() - :age * interval '1 second' END
            FROM outbox_event e JOIN benchmark_aggregate a ON a.id = e.aggregate_id
            WHERE e.seq > :above
            ORDER BY e.seq
            """;

    private static final String BLOCK = """
            UPDATE outbox_delivery d
            SET waiting = true,
                parked_at = CASE WHEN first THEN now() END,
                attempts = CASE WHEN first THEN 10 ELSE 0 END,
                last_error = CASE WHEN first THEN 'parked for a benchmark' END
            FROM (SELECT seq, seq = min(seq) OVER () AS first FROM outbox_delivery) n
            WHERE n.seq = d.seq
            """;

    private static final String LAST = "SELECT coalesce(max(seq), 0) FROM outbox_event";

    private static final double ANY_SEED = 0.42;

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;

    Backlog(OutboxDatabase database) {
        DataSource dataSource = database.dataSource();
        jdbc = JdbcClient.create(dataSource);
        transaction = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
        AggregateTable.create(jdbc);
    }

    /** Adds events that wait to be published, of aggregates drawn at random: always the same draw. */
    void fill(int events, String topic) {
        fill(events, Rows.pending(topic));
    }

    /** Adds events that wait to be published, all of one aggregate. */
    void fillHot(int events, String topic) {
        fill(events, Rows.pending(topic).hot());
    }

    /** Adds events that wait to be published, of which every so-manieth has a payload that is so many bytes larger. */
    void fillLarge(int events, String topic, int every, int bytes) {
        fill(events, Rows.pending(topic).large(every, bytes));
    }

    /** Adds events that were published so long ago. */
    void fillHistory(int events, Duration age) {
        fill(events, Rows.published(age));
    }

    /** Adds a parked event to empty tables and, of the same aggregate, events that the relay has set aside behind it. */
    void fillBlocked(int events, String topic) {
        fillHot(events + 1, topic);
        jdbc.sql(BLOCK).update();
    }

    private void fill(int events, Rows rows) {
        for (int left = events; left > 0; left -= CHUNK) {
            int chunk = Math.min(left, CHUNK);
            double seed = ANY_SEED * left / events;
            transaction.executeWithoutResult(status -> fillChunk(chunk, seed, rows));
        }
    }

    private void fillChunk(int events, double seed, Rows rows) {
        jdbc.sql("SET LOCAL work_mem = '256MB'").update();
        jdbc.sql(SEED).param("seed", seed).query(String.class).single();
        long last = jdbc.sql(LAST).query(Long.class).single();
        jdbc.sql(EVENTS)
                .param("events", events)
                .param("first", rows.first())
                .param("spread", rows.spread())
                .param("topic", rows.topic())
                .param("age", rows.age().toSeconds())
                .param("largeEvery", rows.largeEvery())
                .param("largeBytes", rows.largeBytes())
                .update();
        jdbc.sql(DELIVERIES)
                .param("age", rows.age().toSeconds())
                .param("above", last)
                .update();
    }

    /**
     * @param first number of the first aggregate
     * @param spread how many aggregates
     * @param age how long ago they were published; zero if they were not
     * @param largeEvery every so-manieth is larger; none for zero
     */
    private record Rows(String topic, int first, int spread, Duration age, int largeEvery, int largeBytes) {

        static Rows pending(String topic) {
            return new Rows(topic, 0, Orders.COUNT, Duration.ZERO, 0, 0);
        }

        static Rows published(Duration age) {
            return new Rows("history", 0, Orders.COUNT, age, 0, 0);
        }

        Rows hot() {
            return new Rows(topic, Orders.HOT, 1, age, largeEvery, largeBytes);
        }

        Rows large(int every, int bytes) {
            return new Rows(topic, first, spread, age, every, bytes);
        }
    }
}
