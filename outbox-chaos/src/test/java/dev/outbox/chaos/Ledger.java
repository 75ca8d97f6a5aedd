package dev.outbox.chaos;

import dev.outbox.testkit.CommittedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The business tables of the instances: the truth about which events were committed, and in which order.
 *
 * <p>An event's place within its aggregate comes from a counter, whose row lock lasts to the end of the transaction. It is
 * drawn after the append, so the places are in the order of commits, whatever the outbox does.
 */
final class Ledger {

    private static final String CREATE = """
            CREATE TABLE chaos_aggregate (id text PRIMARY KEY, version bigint NOT NULL DEFAULT 0) WITH (fillfactor = 50);
            CREATE TABLE chaos_event (event_id uuid PRIMARY KEY, aggregate text NOT NULL, place bigint NOT NULL);
            CREATE TABLE chaos_control (writing boolean NOT NULL);
            INSERT INTO chaos_control VALUES (true);
            """;

    private static final String CREATE_AGGREGATES =
            "INSERT INTO chaos_aggregate (id) SELECT 'a' || n FROM generate_series(0, :count - 1) n";

    private static final String WRITE = """
            WITH appended AS (SELECT * FROM unnest(:ids::uuid[], :aggregates::text[]) WITH ORDINALITY AS a (event_id, id, n)),
                 moved AS (UPDATE chaos_aggregate c SET version = c.version + a.events
                           FROM (SELECT id, count(*) AS events FROM appended GROUP BY id) a
                           WHERE c.id = a.id
                           RETURNING c.id, c.version - a.events AS before)
            INSERT INTO chaos_event (event_id, aggregate, place)
            SELECT event_id, id, before + row_number() OVER (PARTITION BY id ORDER BY n) FROM appended JOIN moved USING (id)
            """;

    /* Held by every writing transaction to its end, so that a stop comes after the last of them. */
    private static final String JOIN = "SELECT pg_advisory_xact_lock_shared(2147483647, 1)::text";

    private static final String WRITING = "SELECT writing FROM chaos_control";

    private static final String SWITCH = """
            DO $$ BEGIN
                PERFORM pg_advisory_xact_lock(2147483647, 1);
                UPDATE chaos_control SET writing = %s;
            END $$
            """;

    private static final String COUNT = "SELECT count(*) FROM chaos_event";

    private static final String COMMITTED = "SELECT event_id, aggregate, place FROM chaos_event";

    private final JdbcClient jdbc;

    Ledger(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void create(int aggregates) {
        jdbc.sql(CREATE).update();
        jdbc.sql(CREATE_AGGREGATES).param("count", aggregates).update();
    }

    /** Whether the transaction of the calling thread may write; while it lasts, nobody can stop the writing. */
    boolean join() {
        jdbc.sql(JOIN).query(String.class).single();
        return jdbc.sql(WRITING).query(Boolean.class).single();
    }

    /** Notes the events that the transaction of the calling thread has appended, in this order. */
    void write(List<UUID> ids, List<String> aggregates) {
        jdbc.sql(WRITE)
                .param("ids", ids.stream().map(UUID::toString).toArray(String[]::new))
                .param("aggregates", aggregates.toArray(String[]::new))
                .update();
    }

    /** Lets writers write, or stops them; when a stop returns, no writing transaction is open any more. */
    void setWriting(boolean writing) {
        jdbc.sql(SWITCH.formatted(writing)).update();
    }

    long count() {
        return jdbc.sql(COUNT).query(Long.class).single();
    }

    List<CommittedEvent> committed() {
        List<CommittedEvent> events = new ArrayList<>();
        jdbc.sql(COMMITTED).query(row -> {
            events.add(new CommittedEvent(row.getString("event_id"), row.getString("aggregate"), row.getLong("place")));
        });
        return events;
    }
}
