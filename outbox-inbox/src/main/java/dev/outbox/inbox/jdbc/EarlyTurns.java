package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.EarlyBacklog;
import dev.outbox.postgresql.TableNames;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** Looks, without a lock, for early events that something is to be done about. */
final class EarlyTurns {

    private static final String IS_DUE = """
            SELECT EXISTS (
                SELECT FROM %2$s AS known
                JOIN %1$s AS early ON early.consumer = known.consumer
                    AND early.aggregate_type = known.aggregate_type AND early.aggregate_id = known.aggregate_id
                    AND early.version = known.version + 1
                WHERE known.consumer = :consumer AND known.aggregate_type = :aggregate_type
                  AND known.aggregate_id = :aggregate_id AND early.next_attempt_at <= clock_timestamp())
            """;

    /** Costs as much as is kept for the consumer, which is bounded. */
    private static final String AGGREGATES = """
            SELECT early.aggregate_type, early.aggregate_id
            FROM %s AS early
            JOIN %s AS known ON known.consumer = early.consumer
                AND known.aggregate_type = early.aggregate_type AND known.aggregate_id = early.aggregate_id
            WHERE early.consumer = :consumer AND %s
            ORDER BY early.received_at
            LIMIT :batch
            """;

    private static final String DUE =
            "early.version = known.version + 1 AND early.next_attempt_at <= clock_timestamp()";

    /** Nothing of the aggregate waits before it, so the versions between the known one and this one are missing. */
    private static final String OVERDUE = """
            known.consumer = early.consumer AND known.aggregate_type = early.aggregate_type
            AND known.aggregate_id = early.aggregate_id
            AND NOT early.settled AND early.version > known.version + 1
            AND early.received_at <= clock_timestamp() - make_interval(secs => :timeout)
            AND early.next_attempt_at <= clock_timestamp()
            AND NOT EXISTS (
                SELECT FROM %s AS before
                WHERE before.consumer = early.consumer AND before.aggregate_type = early.aggregate_type
                  AND before.aggregate_id = early.aggregate_id AND before.version < early.version
                  AND (NOT before.settled OR before.version = known.version + 1))
            """;

    private static final String BACKLOG = """
            SELECT count(*) AS waiting,
                coalesce(extract(epoch FROM clock_timestamp() - min(received_at)), 0) AS seconds
            FROM %s WHERE consumer = :consumer AND NOT settled
            """;

    private final JdbcClient jdbc;
    private final String isDue;
    private final String due;
    private final String overdue;
    private final String backlog;

    EarlyTurns(DataSource dataSource, TableNames tables) {
        String table = tables.qualified(InboxTables.EARLY_EVENT);
        String known = tables.qualified(InboxTables.AGGREGATE_VERSION);
        this.jdbc = JdbcClient.create(dataSource);
        this.isDue = IS_DUE.formatted(table, known);
        this.due = AGGREGATES.formatted(table, known, DUE);
        this.overdue = AGGREGATES.formatted(table, known, overdue(table));
        this.backlog = BACKLOG.formatted(table);
    }

    /** Returns the condition for an event that has waited too long for a missing version. */
    static String overdue(String table) {
        return OVERDUE.formatted(table);
    }

    /** Whether an event of the aggregate is kept whose turn has come. */
    boolean isDue(Aggregate aggregate) {
        return jdbc.sql(isDue)
                .param("consumer", aggregate.consumer().value())
                .param("aggregate_type", aggregate.type())
                .param("aggregate_id", aggregate.id())
                .query(Boolean.class)
                .single();
    }

    /** Returns aggregates with an event whose turn has come. */
    List<Aggregate> due(ConsumerName consumer, int batch) {
        return aggregates(jdbc.sql(due), consumer, batch);
    }

    /** Returns aggregates whose first event has waited too long for a missing version. */
    List<Aggregate> overdue(ConsumerName consumer, Duration timeout, int batch) {
        return aggregates(jdbc.sql(overdue).param("timeout", EarlyEvents.seconds(timeout)), consumer, batch);
    }

    EarlyBacklog backlog(ConsumerName consumer) {
        return jdbc.sql(backlog)
                .param("consumer", consumer.value())
                .query((row, number) -> new EarlyBacklog(
                        row.getLong("waiting"), Duration.ofMillis((long) (row.getDouble("seconds") * 1000))))
                .single();
    }

    private static List<Aggregate> aggregates(StatementSpec statement, ConsumerName consumer, int batch) {
        return statement
                .param("consumer", consumer.value())
                .param("batch", batch)
                .query((row, number) ->
                        new Aggregate(consumer, row.getString("aggregate_type"), row.getString("aggregate_id")))
                .list();
    }
}
