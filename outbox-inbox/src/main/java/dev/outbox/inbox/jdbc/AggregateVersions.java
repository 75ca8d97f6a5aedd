package dev.outbox.inbox.jdbc;

import dev.outbox.postgresql.TableNames;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** The last version of each aggregate that a consumer has applied, in the transaction of the calling thread. */
final class AggregateVersions {

    private static final String KEY =
            "consumer = :consumer AND aggregate_type = :aggregate_type AND aggregate_id = :aggregate_id";

    private static final String RAISE = """
            INSERT INTO %s AS known (consumer, aggregate_type, aggregate_id, version)
            VALUES (:consumer, :aggregate_type, :aggregate_id, :version)
            ON CONFLICT (consumer, aggregate_type, aggregate_id)
            DO UPDATE SET version = excluded.version, applied_at = clock_timestamp()
            WHERE known.version < excluded.version
            """;

    private static final String ADVANCE = """
            UPDATE %1$s SET version = :version, applied_at = clock_timestamp()
            WHERE %3$s AND version = :version - 1
              AND NOT EXISTS (SELECT FROM %2$s AS kept WHERE %3$s AND kept.version = :version)
            """;

    private static final String BEGIN = """
            INSERT INTO %s (consumer, aggregate_type, aggregate_id, version)
            VALUES (:consumer, :aggregate_type, :aggregate_id, :version)
            ON CONFLICT (consumer, aggregate_type, aggregate_id) DO NOTHING
            """;

    private static final String LOCK = "SELECT version FROM %s WHERE %s FOR UPDATE";

    private static final String SET = "UPDATE %s SET version = :version, applied_at = clock_timestamp() WHERE %s";

    private final CurrentTransaction transaction;
    private final String raise;
    private final String advance;
    private final String begin;
    private final String lock;
    private final String set;

    AggregateVersions(CurrentTransaction transaction, TableNames tables) {
        String table = tables.qualified(InboxTables.AGGREGATE_VERSION);
        this.transaction = transaction;
        this.raise = RAISE.formatted(table);
        this.advance = ADVANCE.formatted(table, tables.qualified(InboxTables.EARLY_EVENT), KEY);
        this.begin = BEGIN.formatted(table);
        this.lock = LOCK.formatted(table, KEY);
        this.set = SET.formatted(table, KEY);
    }

    /** Takes a version over if it is newer than the known one, and says whether it is. */
    boolean raise(Aggregate aggregate, long version) {
        return sql(raise, aggregate).param("version", version).update() == 1;
    }

    /** Takes a version over if it is the next one and no event of that version is kept, and says whether it did. */
    boolean advance(Aggregate aggregate, long version) {
        return sql(advance, aggregate).param("version", version).update() == 1;
    }

    /** Takes a version over if nothing is known of the aggregate, and says whether it did. */
    boolean begin(Aggregate aggregate, long version) {
        return sql(begin, aggregate).param("version", version).update() == 1;
    }

    void set(Aggregate aggregate, long version) {
        sql(set, aggregate).param("version", version).update();
    }

    /** Returns the version of an aggregate that is known, and keeps it to this transaction. */
    long lock(Aggregate aggregate) {
        return sql(lock, aggregate).query(Long.class).single();
    }

    /** Like {@link #lock}, but empty if another transaction has the aggregate or nothing is known of it. */
    Optional<Long> tryLock(Aggregate aggregate) {
        return sql(lock + " SKIP LOCKED", aggregate).query(Long.class).optional();
    }

    private StatementSpec sql(String statement, Aggregate aggregate) {
        return transaction
                .client()
                .sql(statement)
                .param("consumer", aggregate.consumer().value())
                .param("aggregate_type", aggregate.type())
                .param("aggregate_id", aggregate.id());
    }
}
