package dev.outbox.jdbc;

import dev.outbox.Aggregate;
import dev.outbox.ParkedRecord;
import dev.outbox.RecordFilter;
import dev.outbox.postgresql.TableNames;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/**
 * Finds records by a filter, in steps: each statement walks a bounded number of rows of one index, whatever matches, in a
 * transaction of its own.
 */
final class RecordSearch {

    /** The most rows that a statement walks. */
    static final int STEP = 5_000;

    private static final String PARKED = """
            SELECT d.*, d.parked_at AS since
            FROM %1$s d
            WHERE d.published_at IS NULL AND d.parked_at IS NOT NULL AND d.discarded_at IS NULL
              AND d.parked_at >= :since AND (d.parked_at, d.seq) > (:since, :seq)
            ORDER BY d.parked_at, d.seq
            LIMIT :step
            """;

    private static final String PARKED_BY_SEQ = """
            SELECT d.*, d.parked_at AS since
            FROM unnest(:seqs::bigint[]) AS named (seq)
            CROSS JOIN LATERAL (SELECT * FROM %1$s WHERE seq = named.seq LIMIT 1) d
            WHERE d.published_at IS NULL AND d.discarded_at IS NULL AND (d.parked_at, d.seq) > (:since, :seq)
            ORDER BY d.parked_at, d.seq
            LIMIT :step
            """;

    private static final String PUBLISHED = """
            SELECT d.*, d.published_at AS since
            FROM %1$s d
            WHERE d.seq > :seq AND d.seq <= :last
            ORDER BY d.seq
            LIMIT :step
            """;

    private static final String PUBLISHED_BY_SEQ = """
            SELECT d.*, d.published_at AS since
            FROM unnest(:seqs::bigint[]) AS named (seq)
            CROSS JOIN LATERAL (SELECT * FROM %1$s WHERE seq = named.seq LIMIT 1) d
            WHERE d.seq > :seq
            ORDER BY d.seq
            LIMIT :step
            """;

    /*
     * The event is looked up row by row, and not at all for a row of another aggregate. The last row of a step is returned
     * whether it matches or not, because the next step begins behind it.
     */
    private static final String MATCHING = """
            WITH walked AS MATERIALIZED (SELECT s.*, row_number() OVER () AS place FROM (%2$s) s)
            SELECT w.*, e.event_id, e.aggregate_type, e.aggregate_id, e.aggregate_version, e.topic, e.event_type,
                   e.schema_version, e.event_id IS NOT NULL AS matches
            FROM walked w
            LEFT JOIN LATERAL (
                SELECT e.event_id, e.aggregate_type, e.aggregate_id, e.aggregate_version, e.topic, e.event_type,
                       e.schema_version
                FROM %1$s e
                WHERE e.seq = w.seq AND w.since IS NOT NULL
                  AND (:hash::bigint IS NULL OR w.aggregate_hash = :hash)
                  AND (:aggregateType::text IS NULL OR e.aggregate_type = :aggregateType AND e.aggregate_id = :aggregateId)
                  AND (:topic::text IS NULL OR e.topic = :topic)
                  AND (:eventType::text IS NULL OR e.event_type = :eventType)
                  AND (:appendedFrom::timestamptz IS NULL
                       OR e.created_at >= :appendedFrom AND e.created_at < :appendedTo)
                  AND (:publishedFrom::timestamptz IS NULL OR w.since >= :publishedFrom AND w.since < :publishedTo)
                LIMIT 1) e ON true
            WHERE e.event_id IS NOT NULL OR w.place = (SELECT max(place) FROM walked)
            ORDER BY w.place
            """;

    private final OperatorTransactions transactions;
    private final SeqRange range;
    private final String parked;
    private final String parkedBySeq;
    private final String published;
    private final String publishedBySeq;

    RecordSearch(OperatorTransactions transactions, TableNames names) {
        this.transactions = transactions;
        this.range = new SeqRange(transactions, names);
        this.parked = matching(names, PARKED);
        this.parkedBySeq = matching(names, PARKED_BY_SEQ);
        this.published = matching(names, PUBLISHED);
        this.publishedBySeq = matching(names, PUBLISHED_BY_SEQ);
    }

    private static String matching(TableNames names, String walked) {
        return MATCHING.formatted(names.qualified("event"), walked.formatted(names.qualified("delivery")));
    }

    /** Visits the parked records that match, by the time of parking. */
    void parked(RecordFilter filter, ParkedRecord.Position after, Visitor visitor) {
        String sql = filter.seqs().isEmpty() ? parked : parkedBySeq;
        walk(sql, filter, after.since(), after.seq(), Long.MAX_VALUE, visitor);
    }

    /** Visits the published records that match, by seq. */
    void published(RecordFilter filter, Visitor visitor) {
        if (filter.seqs().isEmpty()) {
            walk(published, filter, Instant.EPOCH, range.before(filter), range.last(filter), visitor);
        } else {
            walk(publishedBySeq, filter, Instant.EPOCH, 0, Long.MAX_VALUE, visitor);
        }
    }

    private void walk(String sql, RecordFilter filter, Instant since, long seq, long last, Visitor visitor) {
        Step step = new Step(since, seq, 0, true);
        do {
            Step before = step;
            step = transactions.read(() -> bind(transactions.jdbc().sql(sql), filter)
                    .param("since", atUtc(before.since))
                    .param("seq", before.seq)
                    .param("last", last)
                    .param("step", STEP)
                    .query((ResultSetExtractor<Step>) rows -> visit(rows, before, visitor)));
        } while (step.goesOn && step.walked == STEP);
    }

    private static Step visit(ResultSet rows, Step before, Visitor visitor) throws SQLException {
        Step step = new Step(before.since, before.seq, 0, true);
        while (rows.next()) {
            if (rows.getBoolean("matches") && !visitor.visit(rows)) {
                return new Step(step.since, step.seq, step.walked, false);
            }
            OffsetDateTime since = rows.getObject("since", OffsetDateTime.class);
            step = new Step(
                    since == null ? step.since : since.toInstant(), rows.getLong("seq"), rows.getInt("place"), true);
        }
        return step;
    }

    private static StatementSpec bind(StatementSpec statement, RecordFilter filter) {
        Aggregate aggregate = filter.aggregate();
        RecordFilter.TimeRange appended = filter.appended();
        RecordFilter.TimeRange published = filter.published();
        return statement
                .param("seqs", filter.seqs().toArray(Long[]::new))
                .param("hash", aggregate == null ? null : aggregate.hash())
                .param("aggregateType", aggregate == null ? null : aggregate.type())
                .param("aggregateId", aggregate == null ? null : aggregate.id())
                .param("topic", filter.topic())
                .param("eventType", filter.eventType())
                .param("appendedFrom", appended == null ? null : atUtc(appended.from()))
                .param("appendedTo", appended == null ? null : atUtc(appended.to()))
                .param("publishedFrom", published == null ? null : atUtc(published.from()))
                .param("publishedTo", published == null ? null : atUtc(published.to()));
    }

    static OffsetDateTime atUtc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    /** Sees one record that matches. */
    interface Visitor {

        /** Whether to go on. */
        boolean visit(ResultSet row) throws SQLException;
    }

    private record Step(Instant since, long seq, int walked, boolean goesOn) {}
}
