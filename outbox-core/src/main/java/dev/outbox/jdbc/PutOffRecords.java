package dev.outbox.jdbc;

import dev.outbox.Aggregate;
import dev.outbox.postgresql.TableNames;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/** Records of a topic that was paused, or that failed: the relay has put them off. */
final class PutOffRecords {

    private static final int STEP = 1_000;

    /*
     * Walks what one lane has put off in the order of time, and yields where the next step begins. What was made due stands
     * where the walk began, so that no step meets it again.
     */
    private static final String MAKE_DUE = """
            WITH walked AS MATERIALIZED (
                SELECT d.seq, d.next_attempt_at
                FROM %1$s d
                WHERE d.lane = :lane AND d.published_at IS NULL AND d.next_attempt_at IS NOT NULL
                  AND d.next_attempt_at >= :since AND (d.next_attempt_at, d.seq) > (:since, :seq)
                ORDER BY d.next_attempt_at, d.seq
                LIMIT :step
            ), of_topic AS MATERIALIZED (
                SELECT w.seq, w.next_attempt_at
                FROM walked w
                CROSS JOIN LATERAL (SELECT e.topic FROM %2$s e WHERE e.seq = w.seq LIMIT 1) e
                WHERE e.topic = :topic
            ), due AS (
                UPDATE %1$s d SET next_attempt_at = :begin
                FROM of_topic t
                WHERE d.seq = t.seq AND d.parked_at IS NULL AND d.next_attempt_at = t.next_attempt_at
            )
            SELECT next_attempt_at, seq FROM walked ORDER BY next_attempt_at DESC, seq DESC LIMIT 1
            """;

    private static final String MAKE_ONE_DUE = """
            UPDATE %1$s SET next_attempt_at = clock_timestamp()
            WHERE seq = (SELECT d.seq
                         FROM %1$s d
                         CROSS JOIN LATERAL (SELECT e.topic FROM %2$s e WHERE e.seq = d.seq LIMIT 1) e
                         WHERE d.lane = :lane AND d.published_at IS NULL AND d.next_attempt_at IS NOT NULL
                           AND e.topic = :topic
                         ORDER BY d.next_attempt_at
                         LIMIT 1)
              AND published_at IS NULL AND parked_at IS NULL AND next_attempt_at IS NOT NULL
            """;

    private static final String NOW = "SELECT clock_timestamp()";

    private final OperatorTransactions transactions;
    private final WaitingQueue queue;
    private final String makeDue;
    private final String makeOneDue;

    PutOffRecords(OperatorTransactions transactions, TableNames names) {
        this.transactions = transactions;
        this.queue = new WaitingQueue(transactions.jdbc(), names);
        this.makeOneDue = MAKE_ONE_DUE.formatted(names.qualified("delivery"), names.qualified("event"));
        this.makeDue = MAKE_DUE.formatted(names.qualified("delivery"), names.qualified("event"));
    }

    /** What is put off now; what is put off later knows that the pause is over. */
    void makeDue(String topic) {
        Instant now = transactions.read(() -> transactions
                .jdbc()
                .sql(NOW)
                .query(OffsetDateTime.class)
                .single()
                .toInstant());
        for (int lane = 0; lane < Aggregate.LANES; lane++) {
            makeDue(topic, lane, now);
        }
    }

    /** The first one that is found. */
    void makeOneDue(String topic) {
        int made = 0;
        for (int lane = 0; lane < Aggregate.LANES && made == 0; lane++) {
            int next = lane;
            made = transactions.write(() -> makeOneDue(topic, next));
        }
    }

    private int makeOneDue(String topic, int lane) {
        queue.lock(List.of(lane));
        return transactions
                .jdbc()
                .sql(makeOneDue)
                .param("topic", topic)
                .param("lane", lane)
                .update();
    }

    private void makeDue(String topic, int lane, Instant begin) {
        Optional<Place> next = Optional.of(new Place(begin, Long.MAX_VALUE));
        while (next.isPresent()) {
            Place from = next.get();
            next = transactions.write(() -> step(topic, lane, begin, from));
        }
    }

    private Optional<Place> step(String topic, int lane, Instant begin, Place from) {
        queue.lock(List.of(lane));
        return transactions
                .jdbc()
                .sql(makeDue)
                .param("topic", topic)
                .param("lane", lane)
                .param("begin", RecordSearch.atUtc(begin))
                .param("since", RecordSearch.atUtc(from.time))
                .param("seq", from.seq)
                .param("step", STEP)
                .query((row, number) ->
                        new Place(row.getObject(1, OffsetDateTime.class).toInstant(), row.getLong(2)))
                .optional();
    }

    private record Place(Instant time, long seq) {}
}
