package dev.outbox.jdbc;

import dev.outbox.Outcome;
import dev.outbox.postgresql.TableNames;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Writes how deliveries ended.
 *
 * <p>A record that failed leaves its lane's queue ({@code waiting}), and what the relay then finds of its aggregate
 * follows it, once. While an aggregate has waiting records, the first of them is either parked or has the time of its next
 * attempt; {@link WaitingQueue#arm} restores that whenever one of them left or was set aside. Each method needs a
 * transaction.
 */
final class OutcomeWrites {

    private static final String PUBLISHED = """
            UPDATE %1$s SET published_at = now(), next_attempt_at = NULL, parked_at = NULL,
                             discarded_at = NULL, last_error = NULL
            WHERE seq = ANY (:seqs) AND published_at IS NULL
            RETURNING seq, lane, aggregate_hash, waiting""";

    private static final String DELETED = """
            DELETE FROM %1$s WHERE seq = ANY (:seqs) AND published_at IS NULL
            RETURNING seq, lane, aggregate_hash, waiting""";

    private static final String DELETE_EVENTS = "DELETE FROM %1$s WHERE seq = ANY (:seqs)";

    /* Few of thousands were waiting, and only those are told; the transaction's id always is. */
    private static final String FREED = """
            WITH done AS (%1$s)
            SELECT mark.transaction, freed.*
            FROM (SELECT pg_current_xact_id()::text AS transaction) mark
            LEFT JOIN (SELECT * FROM done WHERE waiting) freed ON true
            """;

    private static final String FAILED = """
            UPDATE %1$s d
            SET waiting = f.blocks,
                attempts = d.attempts + CASE WHEN f.counts THEN 1 ELSE 0 END,
                next_attempt_at = clock_timestamp() + f.delay * interval '1 millisecond',
                parked_at = CASE WHEN f.delay IS NULL THEN clock_timestamp() END,
                last_error = f.error
            FROM unnest(:seqs::bigint[], :blocks::boolean[], :counts::boolean[], :delays::bigint[], :errors::text[])
                AS f (seq, blocks, counts, delay, error)
            WHERE d.seq = f.seq AND d.seq = ANY (:seqs) AND d.published_at IS NULL
              AND d.discarded_at IS NULL
            """;

    private static final String PASSED_OVER = """
            INSERT INTO %1$s (actor, action, reason, seqs)
            VALUES ('relay', 'pass over', 'topic or event type goes on behind parked records', :seqs)
            """;

    private final JdbcClient jdbc;
    private final WaitingQueue queue;
    private final boolean delete;
    private final String published;
    private final String deleteEvents;
    private final String failed;
    private final String passedOver;

    /**
     * @param delete whether what was published is deleted at once instead of marked
     */
    OutcomeWrites(JdbcClient jdbc, TableNames names, boolean delete) {
        this.jdbc = jdbc;
        this.queue = new WaitingQueue(jdbc, names);
        this.delete = delete;
        String delivery = names.qualified("delivery");
        this.published = FREED.formatted((delete ? DELETED : PUBLISHED).formatted(delivery));
        this.deleteEvents = DELETE_EVENTS.formatted(names.qualified("event"));
        this.failed = FAILED.formatted(delivery);
        this.passedOver = PASSED_OVER.formatted(names.qualified("audit"));
    }

    /** Returns the id of the transaction. */
    long record(List<Outcome> outcomes) {
        List<Place> touched = new ArrayList<>();
        long transaction = markPublished(seqs(outcomes, Outcome.State.PUBLISHED), touched);
        markFailed(outcomes.stream().filter(OutcomeWrites::isFailure).toList());
        List<Long> passed = seqs(outcomes, Outcome.State.PASSED_OVER);
        if (!passed.isEmpty()) {
            jdbc.sql(passedOver).param("seqs", passed.toArray(Long[]::new)).update();
        }
        List<Place> behind = places(outcomes, Outcome.State.BEHIND);
        touched.addAll(behind);
        touched.addAll(places(outcomes, Outcome.State.PASSED_OVER));
        if (!touched.isEmpty()) {
            queue.lock(touched.stream().map(Place::lane).toList());
            queue.setAside(behind);
            queue.arm(touched);
        }
        return transaction;
    }

    /** Returns how many. */
    int setAside(List<Place> behind) {
        queue.lock(behind.stream().map(Place::lane).toList());
        queue.setAside(behind);
        queue.arm(behind);
        return behind.size();
    }

    private long markPublished(List<Long> seqs, List<Place> freed) {
        if (delete && !seqs.isEmpty()) {
            jdbc.sql(deleteEvents).param("seqs", seqs.toArray(Long[]::new)).update();
        }
        long[] transaction = new long[1];
        jdbc.sql(published).param("seqs", seqs.toArray(Long[]::new)).query(row -> {
            transaction[0] = row.getLong("transaction");
            if (row.getBoolean("waiting")) {
                freed.add(new Place(row.getLong("seq"), row.getInt("lane"), row.getLong("aggregate_hash")));
            }
        });
        return transaction[0];
    }

    private void markFailed(List<Outcome> failures) {
        if (failures.isEmpty()) {
            return;
        }
        jdbc.sql(failed)
                .param("seqs", array(failures, outcome -> outcome.delivery().seq(), Long[]::new))
                .param(
                        "blocks",
                        array(failures, outcome -> outcome.state() != Outcome.State.PASSED_OVER, Boolean[]::new))
                .param("counts", array(failures, outcome -> outcome.state() != Outcome.State.DEFERRED, Boolean[]::new))
                .param("delays", array(failures, OutcomeWrites::delay, Long[]::new))
                .param("errors", array(failures, ErrorText::of, String[]::new))
                .update();
    }

    private static boolean isFailure(Outcome outcome) {
        return outcome.state() != Outcome.State.PUBLISHED && outcome.state() != Outcome.State.BEHIND;
    }

    private static @Nullable Long delay(Outcome outcome) {
        boolean parked = outcome.state() == Outcome.State.PARKED || outcome.state() == Outcome.State.PASSED_OVER;
        return parked ? null : outcome.delay().toMillis();
    }

    private static List<Long> seqs(List<Outcome> outcomes, Outcome.State state) {
        return places(outcomes, state).stream().map(Place::seq).toList();
    }

    private static List<Place> places(List<Outcome> outcomes, Outcome.State state) {
        return outcomes.stream()
                .filter(outcome -> outcome.state() == state)
                .map(outcome -> Place.of(outcome.delivery()))
                .toList();
    }

    private static <T, V> V[] array(List<T> rows, Function<T, @Nullable V> column, IntFunction<V[]> array) {
        Stream<@Nullable V> values = rows.stream().map(column);
        return values.toArray(array);
    }
}
