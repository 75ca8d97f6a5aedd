package dev.outbox.chaos.inbox;

import dev.outbox.inbox.EventMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The business table of consumers: a row for each effect, twice where an effect is applied twice. */
final class Effects {

    private static final String CREATE = """
            CREATE TABLE chaos_effect (
                seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                consumer text NOT NULL,
                event_id uuid NOT NULL,
                aggregate text,
                version bigint,
                lingers boolean NOT NULL);
            CREATE INDEX ON chaos_effect (consumer, event_id);
            CREATE FUNCTION chaos_linger() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_sleep(0.15); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER chaos_linger AFTER INSERT ON chaos_effect DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW WHEN (NEW.lingers) EXECUTE FUNCTION chaos_linger();
            """;

    private static final String ADD = """
            INSERT INTO chaos_effect (consumer, event_id, aggregate, version, lingers)
            VALUES (:consumer, :eventId, :aggregate, :version, :lingers)
            """;

    private static final String SLEEP = "SELECT pg_sleep(:seconds)::text";

    private static final String ALL =
            "SELECT seq, consumer, event_id, aggregate, version FROM chaos_effect ORDER BY seq";

    private static final String APPLIED =
            "SELECT event_id FROM chaos_effect WHERE consumer = :consumer AND event_id = ANY (:ids::uuid[])";

    private static final String TERMINATE_COMMITS = """
            SELECT count(*) FILTER (WHERE pg_terminate_backend(pid))
            FROM pg_stat_activity
            WHERE datname = current_database() AND state = 'active' AND query ILIKE 'commit%' AND wait_event = 'PgSleep'
            """;

    private final JdbcClient jdbc;

    Effects(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void create() {
        jdbc.sql(CREATE).update();
    }

    /**
     * Applies an effect in the transaction of the calling thread.
     *
     * @param lingers whether the commit shall take long
     */
    void add(String consumer, EventMetadata event, boolean lingers) {
        jdbc.sql(ADD)
                .param("consumer", consumer)
                .param("eventId", event.eventId())
                .param("aggregate", event.aggregateId())
                .param("version", event.aggregateVersion())
                .param("lingers", lingers)
                .update();
    }

    /** Keeps the calling thread and its transaction busy. */
    void takeTime(Duration time) {
        jdbc.sql(SLEEP)
                .param("seconds", time.toMillis() / 1_000.0)
                .query(String.class)
                .single();
    }

    List<EffectRow> all() {
        List<EffectRow> rows = new ArrayList<>();
        jdbc.sql(ALL).query(row -> {
            rows.add(new EffectRow(
                    row.getLong("seq"),
                    row.getString("consumer"),
                    row.getString("event_id"),
                    row.getString("aggregate"),
                    row.getLong("version")));
        });
        return rows;
    }

    /** Those of the events whose effect is committed. */
    Set<String> applied(String consumer, Collection<String> eventIds) {
        return new HashSet<>(jdbc.sql(APPLIED)
                .param("consumer", consumer)
                .param("ids", eventIds.toArray(String[]::new))
                .query(String.class)
                .list());
    }

    /** Ends the sessions that are committing just now and take long; returns how many there were. */
    int terminateCommits() {
        return jdbc.sql(TERMINATE_COMMITS).query(Integer.class).single();
    }
}
