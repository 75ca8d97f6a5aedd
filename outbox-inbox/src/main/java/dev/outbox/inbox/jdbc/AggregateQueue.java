package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.EventMetadata;
import dev.outbox.postgresql.TableNames;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/**
 * The open dead letters of one consumer and aggregate, in the order in which they came. The first of them is always dead,
 * never waiting, so that nothing waits behind nothing.
 *
 * <p>Statements in the transaction of the calling thread. Whoever opens or decides a letter of an aggregate holds the
 * aggregate's lock to the end of that transaction.
 */
final class AggregateQueue {

    private static final String LOCK = "SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(:name, 0))";

    private static final String OPEN = """
            SELECT id FROM %1$s
            WHERE consumer = :consumer AND aggregate_key = :key AND decided_at IS NULL
            ORDER BY id LIMIT 1
            """;

    /** The row's lock shows what is committed, also to a transaction that reads an old snapshot. */
    private static final String STILL_OPEN = """
            SELECT id FROM %1$s
            WHERE consumer = :consumer AND aggregate_key = :key AND decided_at IS NULL
            ORDER BY id DESC LIMIT 1
            FOR SHARE
            """;

    private static final String AHEAD = """
            SELECT EXISTS (
                SELECT FROM %1$s
                WHERE consumer = :consumer AND aggregate_key = :key AND decided_at IS NULL AND id < :id
                  AND (state = 'waiting' OR :any)
            )
            """;

    private static final String PROMOTE = """
            UPDATE %1$s SET state = 'dead', cause = :cause
            WHERE id = (
                SELECT id FROM %1$s
                WHERE consumer = :consumer AND aggregate_key = :key AND decided_at IS NULL
                ORDER BY id LIMIT 1
            ) AND state = 'waiting'
            RETURNING id
            """;

    private final CurrentTransaction transaction;
    private final String table;

    AggregateQueue(CurrentTransaction transaction, TableNames tables) {
        this.transaction = transaction;
        this.table = tables.qualified(InboxTables.DEAD_LETTER);
    }

    /** Returns what stands for an aggregate whatever its names are like, or null if the event names none. */
    static @Nullable UUID key(@Nullable EventMetadata event) {
        return event == null || event.aggregateId() == null ? null : key(event.aggregateType(), event.aggregateId());
    }

    static UUID key(@Nullable String type, String id) {
        String text = (type == null ? "" : type.length() + "/" + type) + "/" + id;
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Waits until no other transaction changes the queue. */
    void lock(ConsumerName consumer, UUID key) {
        transaction
                .client()
                .sql(LOCK)
                .param("name", table + " " + consumer + " " + key)
                .query(Integer.class)
                .single();
    }

    /** Whether there is an open letter, without a wait for those who are about to change that. */
    boolean mayBeOpen(ConsumerName consumer, UUID key) {
        return of(OPEN, consumer, key).query(Long.class).optional().isPresent();
    }

    /** Whether there is an open letter; for holders of the lock. */
    boolean isOpen(ConsumerName consumer, UUID key) {
        return of(STILL_OPEN, consumer, key).query(Long.class).optional().isPresent();
    }

    /**
     * Whether a letter comes first that has to be decided before this one.
     *
     * @param any whether a dead one has to as well, and not only one that waits
     */
    boolean hasAhead(ConsumerName consumer, UUID key, long id, boolean any) {
        return of(AHEAD, consumer, key)
                .param("id", id)
                .param("any", any)
                .query(Boolean.class)
                .single();
    }

    /** If the first letter waits, it becomes dead and its id is returned. */
    Optional<Long> promote(ConsumerName consumer, UUID key, String cause) {
        return of(PROMOTE, consumer, key)
                .param("cause", cause)
                .query(Long.class)
                .optional();
    }

    private StatementSpec of(String sql, ConsumerName consumer, UUID key) {
        return transaction
                .client()
                .sql(sql.formatted(table))
                .param("consumer", consumer.value())
                .param("key", key);
    }
}
