package dev.outbox.jdbc;

import dev.outbox.AuditEntry;
import dev.outbox.Decision;
import dev.outbox.OutboxOperations;
import dev.outbox.RecordFilter;
import dev.outbox.TestOutbox;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows that operators decide on, brought into a state by hand. */
record DecidedRows(TestOutbox outbox) {

    static final Decision ADA = new Decision("ada", "the topic was missing");
    static final Decision BOB = new Decision("bob", "consumer lost its state");

    void clear() {
        outbox.clear();
        outbox.jdbc.sql("TRUNCATE outbox_pause, outbox_audit RESTART IDENTITY").update();
    }

    OutboxOperations operations() {
        return new JdbcOutboxOperations(outbox.dataSource, TestOutbox.DEFAULT_NAMES);
    }

    /** Appends one event to each of these aggregates. */
    void append(String topic, String... aggregateIds) {
        for (String id : aggregateIds) {
            outbox.append(TestOutbox.event(topic, id).build());
        }
    }

    /** Appends that many events, each of an aggregate of its own. */
    void appendMany(String topic, int count) {
        outbox.jdbc.sql("""
                        WITH e AS (
                            INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, topic, event_type,
                                                      schema_version, content_type, payload, headers)
                            SELECT gen_random_uuid(), 'order', 'many' || i, :topic, 'order.confirmed', 1, 'text/plain',
                                   'x', '{}'
                            FROM generate_series(1, :count) AS i RETURNING seq)
                        INSERT INTO outbox_delivery (seq, lane, aggregate_hash)
                        SELECT seq, hashtextextended(seq::text, 0) & 63, hashtextextended(seq::text, 0) FROM e
                        """).param("topic", topic).param("count", count).update();
    }

    void park(String condition) {
        set("waiting = true, parked_at = clock_timestamp(), attempts = 5, last_error = 'boom'", condition);
    }

    void publish(String condition) {
        set("published_at = clock_timestamp()", condition);
    }

    void set(String change, String condition) {
        outbox.jdbc
                .sql("UPDATE outbox_delivery SET " + change + " WHERE " + condition)
                .update();
    }

    /** What of a record the relay goes by. */
    String state(long seq) {
        return outbox.jdbc
                .sql("SELECT concat_ws(' ', CASE WHEN published_at IS NOT NULL THEN 'published' END,"
                        + " CASE WHEN waiting THEN 'waiting' END,"
                        + " CASE WHEN next_attempt_at <= now() THEN 'due' WHEN next_attempt_at > now() THEN 'later' END,"
                        + " CASE WHEN parked_at IS NOT NULL THEN 'parked' END,"
                        + " CASE WHEN discarded_at IS NOT NULL THEN 'discarded' END, 'attempts', attempts)"
                        + " FROM outbox_delivery WHERE seq = ?")
                .param(seq)
                .query(String.class)
                .single();
    }

    List<String> states(long... seqs) {
        return java.util.Arrays.stream(seqs).mapToObj(this::state).toList();
    }

    List<AuditEntry> audit() {
        return operations().audit(AuditEntry.NEWEST, 1_000);
    }

    static RecordFilter topic(String topic) {
        return RecordFilter.builder().topic(topic).build();
    }

    static @Nullable String audited(AuditEntry entry) {
        return entry.actor() + " " + entry.action() + " " + entry.target().seqs();
    }
}
