package dev.outbox.jdbc;

import dev.outbox.RecordFilter;
import dev.outbox.postgresql.TableNames;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where in the outbox a time is: numbers are drawn in the order of time but for a margin, so the place is found by halving,
 * without an index on time.
 */
final class SeqRange {

    /** How far a clock may be set back, or a statement may last between number and time, without a record being missed. */
    static final Duration MARGIN = Duration.ofMinutes(5);

    private static final String AT_OR_AFTER = """
            SELECT seq, created_at FROM %1$s WHERE seq >= :seq ORDER BY seq LIMIT 1
            """;

    private static final String LAST = """
            SELECT seq, created_at FROM %1$s ORDER BY seq DESC LIMIT 1
            """;

    private final OperatorTransactions transactions;
    private final String atOrAfter;
    private final String last;

    SeqRange(OperatorTransactions transactions, TableNames names) {
        this.transactions = transactions;
        this.atOrAfter = AT_OR_AFTER.formatted(names.qualified("event"));
        this.last = LAST.formatted(names.qualified("event"));
    }

    /** A seq below everything that the filter may match. */
    long before(RecordFilter filter) {
        RecordFilter.TimeRange appended = filter.appended();
        return appended == null ? 0 : firstFrom(appended.from().minus(MARGIN)) - 1;
    }

    /** A seq that nothing exceeds that the filter may match. What is published was appended before. */
    long last(RecordFilter filter) {
        Instant end = earlier(end(filter.appended()), end(filter.published()));
        return end == null ? highest() : firstFrom(end.plus(MARGIN));
    }

    private static @Nullable Instant end(RecordFilter.@Nullable TimeRange range) {
        return range == null ? null : range.to();
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isBefore(other) ? one : other;
    }

    /** The lowest seq that was appended at or after a time, or one beyond all. */
    private long firstFrom(Instant time) {
        long below = 0;
        long from = highest() + 1;
        while (from - below > 1) {
            long middle = below + (from - below) / 2;
            Optional<Place> place = placeAt(middle);
            if (place.isPresent()
                    && place.get().seq < from
                    && place.get().appendedAt.isBefore(time)) {
                below = place.get().seq;
            } else {
                from = middle;
            }
        }
        return from;
    }

    private long highest() {
        return transactions.read(() -> transactions
                .jdbc()
                .sql(last)
                .query((row, number) -> row.getLong("seq"))
                .optional()
                .orElse(0L));
    }

    private Optional<Place> placeAt(long seq) {
        return transactions.read(() -> transactions
                .jdbc()
                .sql(atOrAfter)
                .param("seq", seq)
                .query((row, number) -> new Place(
                        row.getLong("seq"),
                        row.getObject("created_at", OffsetDateTime.class).toInstant()))
                .optional());
    }

    private record Place(long seq, Instant appendedAt) {}
}
