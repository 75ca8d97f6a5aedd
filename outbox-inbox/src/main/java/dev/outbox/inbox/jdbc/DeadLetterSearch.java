package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.DeadLetter;
import dev.outbox.inbox.DeadLetterFilter;
import dev.outbox.inbox.DecisionResult;
import dev.outbox.inbox.RecordPosition;
import dev.outbox.postgresql.TableNames;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** Finds open dead letters. */
final class DeadLetterSearch {

    private static final String OPEN = " FROM %s WHERE decided_at IS NULL";

    private static final String LIST = """
            SELECT id, consumer, state, event_id, event_type, aggregate_type, aggregate_id, topic, partition, record_offset,
                attempts, cause_type, cause, first_failed_at, last_failed_at""";

    private static final String COUNT =
            "SELECT count(*) AS number, (array_agg(id ORDER BY id))[1 : :previewed] AS some";

    private static final String PAGE = " AND id > :after ORDER BY id LIMIT :limit";

    private final OperatorTransactions transactions;
    private final String open;

    DeadLetterSearch(OperatorTransactions transactions, TableNames tables) {
        this.transactions = transactions;
        this.open = OPEN.formatted(tables.qualified(InboxTables.DEAD_LETTER));
    }

    List<DeadLetter> list(DeadLetterFilter filter, long after, int limit) {
        return transactions.inNew(() -> statement(LIST, filter, false, PAGE)
                .param("after", after)
                .param("limit", limit)
                .query((row, number) -> letter(row))
                .list());
    }

    /** Returns at most so many as asked for, by id. */
    List<Found> find(DeadLetterFilter filter, boolean deadOnly, long limit) {
        return transactions.inNew(() -> statement("SELECT id, consumer", filter, deadOnly, PAGE)
                .param("after", 0L)
                .param("limit", limit)
                .query((row, number) -> new Found(row.getLong("id"), new ConsumerName(row.getString("consumer"))))
                .list());
    }

    DecisionResult preview(DeadLetterFilter filter, boolean deadOnly) {
        return transactions.inNew(() -> statement(COUNT, filter, deadOnly, "")
                .param("previewed", DecisionResult.PREVIEWED)
                .query((row, number) -> {
                    Array some = row.getArray("some");
                    return new DecisionResult(
                            row.getLong("number"), 0, 0, some == null ? List.of() : List.of((Long[]) some.getArray()));
                })
                .single());
    }

    private StatementSpec statement(String select, DeadLetterFilter filter, boolean deadOnly, String end) {
        Map<String, Object> criteria = new LinkedHashMap<>();
        put(
                criteria,
                " AND id = ANY (:ids)",
                filter.ids().isEmpty() ? null : filter.ids().toArray(Long[]::new));
        put(
                criteria,
                " AND consumer = :consumer",
                filter.consumer() == null ? null : filter.consumer().value());
        put(criteria, " AND topic = :topic", filter.topic());
        put(criteria, " AND event_type = :event_type", filter.eventType());
        put(criteria, " AND cause_type = :cause_type", filter.causeType());
        DeadLetterFilter.Aggregate aggregate = filter.aggregate();
        put(
                criteria,
                " AND aggregate_key = :aggregate_key",
                aggregate == null ? null : AggregateQueue.key(aggregate.type(), aggregate.id()));
        DeadLetterFilter.TimeRange failed = filter.failed();
        put(criteria, " AND first_failed_at >= :failed_from", failed == null ? null : atUtc(failed.from()));
        put(criteria, " AND first_failed_at < :failed_to", failed == null ? null : atUtc(failed.to()));
        StatementSpec statement = transactions
                .client()
                .sql(select
                        + open
                        + (deadOnly ? " AND state = 'dead'" : "")
                        + String.join("", criteria.keySet())
                        + end);
        criteria.forEach((criterion, value) -> statement.param(parameter(criterion), value));
        return statement;
    }

    private static void put(Map<String, Object> criteria, String criterion, @Nullable Object value) {
        if (value != null) {
            criteria.put(criterion, value);
        }
    }

    private static String parameter(String criterion) {
        return criterion.substring(criterion.indexOf(':') + 1).replace(")", "");
    }

    private static OffsetDateTime atUtc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    private static DeadLetter letter(ResultSet row) throws SQLException {
        return new DeadLetter(
                row.getLong("id"),
                new ConsumerName(row.getString("consumer")),
                DeadLetter.State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                new DeadLetter.Event(
                        row.getObject("event_id", UUID.class),
                        row.getString("event_type"),
                        row.getString("aggregate_type"),
                        row.getString("aggregate_id"),
                        new RecordPosition(
                                row.getString("topic"), row.getInt("partition"), row.getLong("record_offset"))),
                new DeadLetter.Failure(
                        row.getInt("attempts"),
                        row.getString("cause_type"),
                        row.getString("cause"),
                        row.getObject("first_failed_at", OffsetDateTime.class).toInstant(),
                        row.getObject("last_failed_at", OffsetDateTime.class).toInstant()));
    }

    /** A letter that matches. */
    record Found(long id, ConsumerName consumer) {}
}
