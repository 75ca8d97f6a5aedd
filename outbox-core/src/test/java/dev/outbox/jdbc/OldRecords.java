package dev.outbox.jdbc;

import dev.outbox.TestOutbox;
import dev.outbox.postgresql.TableNames;

/** Writes records of any age and state, as if the relay had been at work for long. */
final class OldRecords {

    private static final String APPEND = """
            WITH appended AS (
                INSERT INTO %1$s (event_id, aggregate_type, aggregate_id, topic, event_type, schema_version, content_type,
                                  payload, headers, created_at)
                SELECT gen_random_uuid(), 'order', '%3$s', 'orders', 'order.confirmed', 1, 'application/json', '{}', '{}',
                       now() - interval '%4$s' + i * interval '1 microsecond'
                FROM generate_series(1, %5$d) AS i
                RETURNING seq
            )
            INSERT INTO %2$s (seq, lane, aggregate_hash, %6$s) SELECT seq, seq %% 64, seq, %7$s FROM appended
            """;

    private final TestOutbox outbox;
    private final TableNames names;

    OldRecords(TestOutbox outbox, TableNames names) {
        this.outbox = outbox;
        this.names = names;
    }

    void published(int count, String name, String age) {
        publishedLate(count, name, age, age);
    }

    void publishedLate(int count, String name, String created, String published) {
        append(count, name, created, "published_at", ago(published));
    }

    void parked(int count, String name, String age) {
        append(count, name, age, "waiting, parked_at", "true, " + ago(age));
    }

    void discarded(int count, String name, String created, String discarded) {
        append(count, name, created, "parked_at, discarded_at", ago(created) + ", " + ago(discarded));
    }

    void waiting(int count, String name, String age) {
        append(count, name, age, "waiting, next_attempt_at", "true, now()");
    }

    void pending(int count, String name, String age) {
        append(count, name, age, "attempts", "0");
    }

    private void append(int count, String name, String created, String columns, String values) {
        String sql = APPEND.formatted(
                names.qualified("event"), names.qualified("delivery"), name, created, count, columns, values);
        outbox.transaction.executeWithoutResult(status -> outbox.jdbc.sql(sql).update());
    }

    private static String ago(String age) {
        return "now() - interval '" + age + "'";
    }
}
