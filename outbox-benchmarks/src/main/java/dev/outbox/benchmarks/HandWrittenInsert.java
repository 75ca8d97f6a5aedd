package dev.outbox.benchmarks;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import dev.outbox.Aggregate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The limit of an append: the same two rows by one plain statement, without checks, guard or wake-up. */
final class HandWrittenInsert {

    private static final String INSERT = """
            WITH event AS (
                INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, topic, event_type, schema_version,
                                          content_type, payload, headers)
                VALUES (?, ?, ?, ?, ?, 1, 'application/json', ?, '{}')
                RETURNING seq
            )
            INSERT INTO outbox_delivery (seq, lane, aggregate_hash) SELECT seq, ?, ? FROM event
            """;

    private final JdbcClient jdbc;
    private final NoArgGenerator ids = Generators.timeBasedEpochGenerator();

    HandWrittenInsert(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void insert(String topic, int number) {
        Aggregate aggregate = new Aggregate(Orders.AGGREGATE_TYPE, Orders.id(number), null);
        long hash = aggregate.hash();
        jdbc.sql(INSERT)
                .params(
                        ids.generate(),
                        aggregate.type(),
                        aggregate.id(),
                        topic,
                        Orders.EVENT_TYPE,
                        Orders.payload(number),
                        (short) Aggregate.lane(hash),
                        hash)
                .update();
    }
}
