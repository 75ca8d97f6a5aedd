package dev.outbox.jdbc;

import dev.outbox.Outcome;
import dev.outbox.postgresql.TableNames;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Writes how deliveries ended.
 *
 * <p>A record that failed leaves its lane's queue ({@code waiting}), and what the relay then finds of its aggregate
 * follows it, once. While an aggregate has waiting records, the first of them is either parked or has the time of its next
 * attempt; {@link #arm} restores that whenever one of them was published or set aside. Each method needs a transaction.
 */
final class OutcomeWrites {

    private static final String PUBLISHED = """
            UPDATE %1$s SET published_at = now(), next_attempt_at = NULL, parked_at = NULL, last_error = NULL
            WHERE seq = ANY (:seqs) AND published_at IS NULL
            RETURNING seq, lane, aggregate_hash, waiting
            """;

    private static final String FAILED = """
            UPDATE %1$s d
            SET waiting = true,
                attempts = d.attempts + CASE WHEN f.counts THEN 1 ELSE 0 END,
                next_attempt_at = clock_timestamp() + f.delay * interval '1 millisecond',
                parked_at = CASE WHEN f.delay IS NULL THEN clock_timestamp() END,
                last_error = f.error
            FROM unnest(:seqs::bigint[], :counts::boolean[], :delays::bigint[], :errors::text[])
                AS f (seq, counts, delay, error)
            WHERE d.seq = f.seq AND d.seq = ANY (:seqs) AND d.published_at IS NULL
            """;

    private static final String SET_ASIDE =
            "UPDATE %1$s SET waiting = true WHERE seq = ANY (:seqs) AND published_at IS NULL";

    private static final String ARM = """
            UPDATE %1$s d SET next_attempt_at = clock_timestamp()
            FROM (SELECT DISTINCT lane, aggregate_hash
                  FROM unnest(:lanes::smallint[], :hashes::bigint[]) AS a (lane, aggregate_hash)) touched
            CROSS JOIN LATERAL (SELECT w.seq
                                FROM %1$s w
                                WHERE w.lane = touched.lane AND w.aggregate_hash = touched.aggregate_hash
                                  AND w.published_at IS NULL AND w.waiting
                                ORDER BY w.seq
                                LIMIT 1) head
            WHERE d.seq = head.seq AND d.parked_at IS NULL AND d.next_attempt_at IS NULL
            """;

    /* Taken before looking at what waits, so that two holders of a lane (one of them gone astray) see each other. */
    private static final String LOCK =
            "SELECT pg_advisory_xact_lock(key)::text FROM unnest(:keys::bigint[]) AS l (key)";

    private final JdbcClient jdbc;
    private final AdvisoryKeys keys;
    private final String published;
    private final String failed;
    private final String setAside;
    private final String arm;

    OutcomeWrites(JdbcClient jdbc, TableNames names) {
        this.jdbc = jdbc;
        this.keys = new AdvisoryKeys(names);
        String delivery = names.qualified("delivery");
        this.published = PUBLISHED.formatted(delivery);
        this.failed = FAILED.formatted(delivery);
        this.setAside = SET_ASIDE.formatted(delivery);
        this.arm = ARM.formatted(delivery);
    }

    void record(List<Outcome> outcomes) {
        List<ClaimedReads.Place> freed = markPublished(outcomes.stream()
                .filter(outcome -> outcome.state() == Outcome.State.PUBLISHED)
                .map(outcome -> outcome.delivery().seq())
                .toList());
        markFailed(outcomes.stream()
                .filter(outcome -> outcome.state() != Outcome.State.PUBLISHED)
                .toList());
        if (!freed.isEmpty()) {
            lock(freed);
            arm(freed);
        }
    }

    void setAside(List<ClaimedReads.Place> behind) {
        lock(behind);
        jdbc.sql(setAside)
                .param("seqs", array(behind, ClaimedReads.Place::seq, Long[]::new))
                .update();
        arm(behind);
    }

    private List<ClaimedReads.Place> markPublished(List<Long> seqs) {
        if (seqs.isEmpty()) {
            return List.of();
        }
        List<ClaimedReads.Place> wereWaiting = new ArrayList<>();
        jdbc.sql(published).param("seqs", seqs.toArray(Long[]::new)).query(row -> {
            if (row.getBoolean("waiting")) {
                wereWaiting.add(
                        new ClaimedReads.Place(row.getLong("seq"), row.getInt("lane"), row.getLong("aggregate_hash")));
            }
        });
        return wereWaiting;
    }

    private void markFailed(List<Outcome> failures) {
        if (failures.isEmpty()) {
            return;
        }
        jdbc.sql(failed)
                .param("seqs", array(failures, outcome -> outcome.delivery().seq(), Long[]::new))
                .param("counts", array(failures, outcome -> outcome.state() != Outcome.State.DEFERRED, Boolean[]::new))
                .param("delays", array(failures, OutcomeWrites::delay, Long[]::new))
                .param("errors", array(failures, ErrorText::of, String[]::new))
                .update();
    }

    private static @Nullable Long delay(Outcome outcome) {
        return outcome.state() == Outcome.State.PARKED ? null : outcome.delay().toMillis();
    }

    private void lock(List<ClaimedReads.Place> places) {
        Long[] sorted = places.stream()
                .map(ClaimedReads.Place::lane)
                .distinct()
                .sorted()
                .map(keys::waitingLane)
                .toArray(Long[]::new);
        jdbc.sql(LOCK).param("keys", sorted).query(String.class).list();
    }

    private void arm(List<ClaimedReads.Place> places) {
        jdbc.sql(arm)
                .param("lanes", array(places, ClaimedReads.Place::lane, Integer[]::new))
                .param("hashes", array(places, ClaimedReads.Place::aggregateHash, Long[]::new))
                .update();
    }

    private static <T, V> V[] array(
            List<T> rows, Function<T, @Nullable V> column, java.util.function.IntFunction<V[]> array) {
        Stream<@Nullable V> values = rows.stream().map(column);
        return values.toArray(array);
    }
}
