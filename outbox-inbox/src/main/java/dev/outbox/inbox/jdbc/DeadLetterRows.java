package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.FailureText;
import dev.outbox.postgresql.TableNames;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** The rows of dead letters, read and changed in the transaction of the calling thread. */
final class DeadLetterRows {

    /* Of a letter's age only the duration is the consumer's; its times are the database's. */
    private static final String INSERT = """
            INSERT INTO %1$s (
                consumer, state, event_id, event_type, schema_version, aggregate_type, aggregate_id, aggregate_version,
                aggregate_key, attempts, cause_type, cause, first_failed_at, last_failed_at, %2$s
            ) VALUES (
                :consumer, :state, :event_id::uuid, :event_type::text, :schema_version::integer, :aggregate_type::text,
                :aggregate_id::text, :aggregate_version::bigint, :aggregate_key::uuid, :attempts, :cause_type::text,
                :cause::text, clock_timestamp() - make_interval(secs => :failing_for), clock_timestamp(), %3$s
            )
            ON CONFLICT DO NOTHING
            """;

    private static final String FIND = "SELECT consumer, aggregate_key FROM %s WHERE id = :id AND decided_at IS NULL";

    private static final String LOCK = """
            SELECT * FROM %s WHERE id = :id AND decided_at IS NULL AND (state = 'dead' OR :waiting)
            FOR UPDATE SKIP LOCKED
            """;

    private static final String DECIDE = "UPDATE %s SET state = :state, decided_at = clock_timestamp() WHERE id = :id";

    private static final String FAILED = """
            UPDATE %s
            SET attempts = attempts + 1, cause_type = :cause_type, cause = :cause, last_failed_at = clock_timestamp()
            WHERE id = :id AND decided_at IS NULL
            """;

    private final CurrentTransaction transaction;
    private final String table;
    private final String insert;

    DeadLetterRows(CurrentTransaction transaction, TableNames tables) {
        this.transaction = transaction;
        this.table = tables.qualified(InboxTables.DEAD_LETTER);
        this.insert = INSERT.formatted(table, StoredRecords.COLUMNS, StoredRecords.PARAMETERS);
    }

    /** Adds a letter unless there is an open one of the event, or any of the position of a record without id. */
    boolean add(
            ConsumerName consumer,
            ConsumerRecord<byte[], byte[]> record,
            @Nullable EventMetadata event,
            Failure failure) {
        return StoredRecords.bind(transaction.client().sql(insert), record)
                        .param("consumer", consumer.value())
                        .param("state", failure.cause() == null ? "waiting" : "dead")
                        .param("event_id", event == null ? null : event.eventId())
                        .param("event_type", clean(event == null ? null : event.type()))
                        .param("schema_version", event == null ? null : event.schemaVersion())
                        .param("aggregate_type", clean(event == null ? null : event.aggregateType()))
                        .param("aggregate_id", clean(event == null ? null : event.aggregateId()))
                        .param("aggregate_version", event == null ? null : event.aggregateVersion())
                        .param("aggregate_key", AggregateQueue.key(event))
                        .param("attempts", failure.attempts())
                        .param("cause_type", type(failure.cause()))
                        .param("cause", failure.cause() == null ? null : FailureText.describe(failure.cause()))
                        .param("failing_for", failure.failingFor().toMillis() / 1000.0)
                        .update()
                == 1;
    }

    /** Returns where an open letter belongs, without a lock on it. */
    Optional<Place> find(long id) {
        return transaction
                .client()
                .sql(FIND.formatted(table))
                .param("id", id)
                .query((row, number) -> new Place(
                        new ConsumerName(row.getString("consumer")), row.getObject("aggregate_key", UUID.class)))
                .optional();
    }

    /** Locks and returns an open letter, unless another transaction has it. */
    Optional<StoredLetter> lock(long id, boolean alsoWaiting) {
        return transaction
                .client()
                .sql(LOCK.formatted(table))
                .param("id", id)
                .param("waiting", alsoWaiting)
                .query((row, number) ->
                        new StoredLetter(id, row.getObject("event_id", UUID.class), StoredRecords.read(row)))
                .optional();
    }

    void decide(long id, String state) {
        transaction
                .client()
                .sql(DECIDE.formatted(table))
                .param("id", id)
                .param("state", state)
                .update();
    }

    /** Counts a failed redrive, and returns whether the letter is still open. */
    boolean failedAgain(long id, Throwable cause) {
        return transaction
                        .client()
                        .sql(FAILED.formatted(table))
                        .param("id", id)
                        .param("cause_type", type(cause))
                        .param("cause", FailureText.describe(cause))
                        .update()
                == 1;
    }

    private static @Nullable String type(@Nullable Throwable cause) {
        return clean(cause == null ? null : cause.getClass().getName());
    }

    private static @Nullable String clean(@Nullable String text) {
        return text == null ? null : FailureText.trim(text);
    }

    /**
     * Where a letter belongs.
     *
     * @param aggregateKey null if the event names no aggregate
     */
    record Place(ConsumerName consumer, @Nullable UUID aggregateKey) {}

    /**
     * A letter that the transaction has locked.
     *
     * @param eventId null if the record had no usable one
     */
    record StoredLetter(long id, @Nullable UUID eventId, ConsumerRecord<byte[], byte[]> record) {}

    /**
     * What a letter failed of.
     *
     * @param cause null if it waits behind another one
     */
    record Failure(
            int attempts, Duration failingFor, @Nullable Throwable cause) {

        static final Failure NONE = new Failure(0, Duration.ZERO, null);
    }
}
