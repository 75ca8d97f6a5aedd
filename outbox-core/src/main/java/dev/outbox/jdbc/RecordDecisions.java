package dev.outbox.jdbc;

import dev.outbox.Decision;
import dev.outbox.DecisionResult;
import dev.outbox.ParkedRecord;
import dev.outbox.RecordFilter;
import dev.outbox.TooManyRecordsException;
import dev.outbox.postgresql.TableNames;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Carries out what was decided on records: first finds them, then changes them in transactions of bounded size. A record
 * whose state is another one by then than when it was found is left alone: somebody else was quicker.
 */
final class RecordDecisions {

    /** The most records of one transaction. */
    static final int CHUNK = 1_000;

    /* The look-up by seq stands alone, or the planner may go by an index of the state and through all that is parked. */
    private static final String CHANGE = """
            WITH still AS MATERIALIZED (
                SELECT d.seq
                FROM unnest(:seqs::bigint[], :since::text[]::timestamptz[]) AS found (seq, since)
                CROSS JOIN LATERAL (SELECT * FROM %1$s WHERE seq = found.seq LIMIT 1 FOR UPDATE) d
                WHERE %3$s
            )
            UPDATE %1$s d
            SET %2$s
            FROM still
            WHERE d.seq = still.seq
            RETURNING d.seq
            """;

    private static final String STILL_PARKED =
            "d.published_at IS NULL AND d.discarded_at IS NULL AND d.parked_at = found.since";

    private static final String STILL_PUBLISHED = "d.published_at = found.since";

    private static final String RETRIED = "parked_at = NULL, attempts = 0, waiting = true, next_attempt_at = NULL";

    private static final String DISCARDED = "discarded_at = clock_timestamp(), waiting = false, next_attempt_at = NULL";

    private static final String REPUBLISHED =
            "published_at = NULL, discarded_at = NULL, attempts = 0, waiting = true, next_attempt_at = NULL";

    private final OperatorTransactions transactions;
    private final RecordSearch search;
    private final WaitingQueue queue;
    private final AuditTrail audit;
    private final String delivery;

    RecordDecisions(OperatorTransactions transactions, RecordSearch search, AuditTrail audit, TableNames names) {
        this.transactions = transactions;
        this.search = search;
        this.queue = new WaitingQueue(transactions.jdbc(), names);
        this.audit = audit;
        this.delivery = names.qualified("delivery");
    }

    DecisionResult preview(Action action, RecordFilter filter) {
        action.check(filter);
        Preview preview = new Preview();
        visit(action, filter, preview::add);
        return new DecisionResult(preview.count, preview.some.stream().sorted().toList());
    }

    DecisionResult decide(Action action, RecordFilter filter, Decision decision) {
        action.check(filter);
        List<Candidate> candidates = find(action, filter);
        List<Long> changed = new ArrayList<>();
        for (int from = 0; from < candidates.size(); from += CHUNK) {
            List<Candidate> chunk = candidates.subList(from, Math.min(from + CHUNK, candidates.size()));
            changed.addAll(transactions.write(() -> change(action, chunk, decision)));
        }
        return new DecisionResult(changed.size(), changed);
    }

    /** By seq, so that no part of an aggregate is brought back before an earlier one. */
    private List<Candidate> find(Action action, RecordFilter filter) {
        List<Candidate> found = new ArrayList<>();
        visit(action, filter, row -> found.add(Candidate.of(row)) && found.size() <= filter.atMost());
        if (found.size() > filter.atMost()) {
            throw new TooManyRecordsException(action.text, filter.atMost());
        }
        found.sort(Comparator.comparing(candidate -> candidate.place.seq()));
        return found;
    }

    private void visit(Action action, RecordFilter filter, RecordSearch.Visitor visitor) {
        if (action == Action.REPUBLISH) {
            search.published(filter, visitor);
        } else {
            search.parked(filter, ParkedRecord.Position.START, visitor);
        }
    }

    private List<Long> change(Action action, List<Candidate> candidates, Decision decision) {
        List<Place> places = candidates.stream().map(Candidate::place).toList();
        queue.lock(places.stream().map(Place::lane).toList());
        if (action != Action.DISCARD) {
            queue.disarm(places);
        }
        JdbcClient jdbc = transactions.jdbc();
        List<Long> changed = jdbc
                .sql(CHANGE.formatted(delivery, action.change, action.state))
                .param("seqs", places.stream().map(Place::seq).toArray(Long[]::new))
                .param(
                        "since",
                        candidates.stream()
                                .map(candidate -> candidate.since.toString())
                                .toArray(String[]::new))
                .query(Long.class)
                .list()
                .stream()
                .sorted()
                .toList();
        queue.arm(places);
        if (!changed.isEmpty()) {
            audit.decidedOnRecords(action.text, changed, decision);
        }
        return changed;
    }

    /**
     * A record as it was found.
     *
     * @param place where it is
     * @param since when it was parked, or published
     */
    private record Candidate(Place place, Instant since) {

        private static Candidate of(ResultSet row) throws SQLException {
            return new Candidate(
                    new Place(row.getLong("seq"), row.getInt("lane"), row.getLong("aggregate_hash")),
                    row.getObject("since", OffsetDateTime.class).toInstant());
        }
    }

    /** Counts, and remembers a few. */
    private static final class Preview {

        private long count;
        private final List<Long> some = new ArrayList<>();

        private boolean add(ResultSet row) throws SQLException {
            count++;
            if (count <= DecisionResult.PREVIEWED) {
                some.add(row.getLong("seq"));
            }
            return true;
        }
    }

    /** One of the three decisions. */
    enum Action {

        /** A parked record is tried again. */
        RETRY("retry", RETRIED, STILL_PARKED),

        /** A parked record is given up. */
        DISCARD("discard", DISCARDED, STILL_PARKED),

        /** A published record is published again. */
        REPUBLISH("re-publish", REPUBLISHED, STILL_PUBLISHED);

        private final String text;
        private final String change;
        private final String state;

        Action(String text, String change, String state) {
            this.text = text;
            this.change = change;
            this.state = state;
        }

        void check(RecordFilter filter) {
            if (this != RETRY && filter.matchesAll()) {
                throw new IllegalArgumentException(text + ": the filter has no criterion and would match every record");
            }
            if (this != REPUBLISH && filter.published() != null) {
                throw new IllegalArgumentException(
                        text + ": the filter asks for published records, and parked ones were never published");
            }
        }
    }
}
