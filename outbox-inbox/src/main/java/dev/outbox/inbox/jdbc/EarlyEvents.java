package dev.outbox.inbox.jdbc;

import dev.outbox.postgresql.TableNames;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** The early events that are kept, in the transaction of the calling thread. */
final class EarlyEvents {

    private static final String KEY =
            "consumer = :consumer AND aggregate_type = :aggregate_type AND aggregate_id = :aggregate_id";

    private static final String KEEP = """
            INSERT INTO %s (consumer, aggregate_type, aggregate_id, version, event_id, %s)
            VALUES (:consumer, :aggregate_type, :aggregate_id, :version, :event_id, %s)
            """;

    private static final String SETTLE = """
            INSERT INTO %s (consumer, aggregate_type, aggregate_id, version, event_id, settled)
            VALUES (:consumer, :aggregate_type, :aggregate_id, :version, :event_id, true)
            ON CONFLICT (consumer, aggregate_type, aggregate_id, version) DO NOTHING
            """;

    private static final String EVENT_AT = "SELECT event_id FROM %s WHERE %s AND version = :version";

    /** Counts no further than it matters. */
    private static final String COUNT =
            "SELECT count(*) FROM (SELECT FROM %s WHERE %s AND NOT settled LIMIT :most) AS kept";

    private static final String TAKE = """
            DELETE FROM %s
            WHERE %s AND version = :version AND next_attempt_at <= clock_timestamp()
            RETURNING version, event_id, settled, attempts, received_at, %s
            """;

    private static final String TAKE_OVERDUE = """
            DELETE FROM %s AS early USING %s AS known
            WHERE early.consumer = :consumer AND early.aggregate_type = :aggregate_type
              AND early.aggregate_id = :aggregate_id AND %s
            RETURNING early.version, event_id, settled, attempts, received_at, %s
            """;

    private static final String REMOVE = "DELETE FROM %s WHERE %s AND version = :version";

    private static final String REMOVE_BELOW = "DELETE FROM %s WHERE %s AND version < :version AND settled";

    private static final String RETRY_LATER = """
            UPDATE %s SET attempts = attempts + :counted, last_error = :error,
                next_attempt_at = clock_timestamp() + make_interval(secs => :delay)
            WHERE %s AND version = :version
            """;

    private final CurrentTransaction transaction;
    private final String keep;
    private final String settle;
    private final String eventAt;
    private final String countOfAggregate;
    private final String countOfConsumer;
    private final String take;
    private final String takeOverdue;
    private final String remove;
    private final String removeBelow;
    private final String retryLater;

    EarlyEvents(CurrentTransaction transaction, TableNames tables) {
        String table = tables.qualified(InboxTables.EARLY_EVENT);
        String known = tables.qualified(InboxTables.AGGREGATE_VERSION);
        this.transaction = transaction;
        this.keep = KEEP.formatted(table, StoredRecords.COLUMNS, StoredRecords.PARAMETERS);
        this.settle = SETTLE.formatted(table);
        this.eventAt = EVENT_AT.formatted(table, KEY);
        this.countOfAggregate = COUNT.formatted(table, KEY);
        this.countOfConsumer = COUNT.formatted(table, "consumer = :consumer");
        this.take = TAKE.formatted(table, KEY, StoredRecords.COLUMNS);
        this.takeOverdue = TAKE_OVERDUE.formatted(table, known, EarlyTurns.overdue(table), StoredRecords.COLUMNS);
        this.remove = REMOVE.formatted(table, KEY);
        this.removeBelow = REMOVE_BELOW.formatted(table, KEY);
        this.retryLater = RETRY_LATER.formatted(table, KEY);
    }

    void keep(Aggregate aggregate, long version, UUID eventId, ConsumerRecord<byte[], byte[]> record) {
        StoredRecords.bind(sql(keep, aggregate), record)
                .param("version", version)
                .param("event_id", eventId)
                .update();
    }

    /** Keeps, in place of an event, that its version is not to be waited for. */
    void settle(Aggregate aggregate, long version, UUID eventId) {
        sql(settle, aggregate)
                .param("version", version)
                .param("event_id", eventId)
                .update();
    }

    /** Returns the event that is kept of a version. */
    Optional<UUID> eventAt(Aggregate aggregate, long version) {
        return sql(eventAt, aggregate)
                .param("version", version)
                .query(UUID.class)
                .optional();
    }

    /** Whether so many are kept of an aggregate, or more. */
    boolean isFullFor(Aggregate aggregate, int most) {
        return sql(countOfAggregate, aggregate)
                        .param("most", most)
                        .query(Integer.class)
                        .single()
                >= most;
    }

    /** Whether so many are kept for a consumer, or more. */
    boolean isFull(Aggregate aggregate, int most) {
        return transaction
                        .client()
                        .sql(countOfConsumer)
                        .param("consumer", aggregate.consumer().value())
                        .param("most", most)
                        .query(Integer.class)
                        .single()
                >= most;
    }

    /** Removes and returns the event of a version, unless it waits for its next attempt. */
    Optional<EarlyEvent> take(Aggregate aggregate, long version) {
        return sql(take, aggregate)
                .param("version", version)
                .query((row, number) -> read(aggregate, row))
                .optional();
    }

    /** Removes and returns the first event of an aggregate if it has waited too long for a missing version. */
    Optional<EarlyEvent> takeOverdue(Aggregate aggregate, Duration timeout) {
        return sql(takeOverdue, aggregate)
                .param("timeout", seconds(timeout))
                .query((row, number) -> read(aggregate, row))
                .optional();
    }

    /** Removes an event and says whether it was there. */
    boolean remove(Aggregate aggregate, long version) {
        return sql(remove, aggregate).param("version", version).update() == 1;
    }

    /** Removes what says of versions before this one that they are not to be waited for. */
    void removeSettledBelow(Aggregate aggregate, long version) {
        sql(removeBelow, aggregate).param("version", version).update();
    }

    void retryLater(EarlyEvent event, boolean counted, Duration delay, String error) {
        sql(retryLater, event.aggregate())
                .param("version", event.version())
                .param("counted", counted ? 1 : 0)
                .param("error", error)
                .param("delay", seconds(delay))
                .update();
    }

    private StatementSpec sql(String statement, Aggregate aggregate) {
        return transaction
                .client()
                .sql(statement)
                .param("consumer", aggregate.consumer().value())
                .param("aggregate_type", aggregate.type())
                .param("aggregate_id", aggregate.id());
    }

    private static EarlyEvent read(Aggregate aggregate, ResultSet row) throws SQLException {
        return new EarlyEvent(
                aggregate,
                row.getLong("version"),
                row.getObject("event_id", UUID.class),
                row.getBoolean("settled") ? null : StoredRecords.read(row),
                row.getInt("attempts"),
                row.getObject("received_at", OffsetDateTime.class));
    }

    static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
