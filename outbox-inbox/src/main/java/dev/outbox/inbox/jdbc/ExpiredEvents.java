package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.PurgeSettings;
import dev.outbox.postgresql.TableNames;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The processed events that are older than the retention. */
final class ExpiredEvents {

    /** But for those whose dead letter is open; each is looked up, however the planner sees the tables. */
    private static final String DELETE_BATCH = """
            WITH forgotten AS (
                DELETE FROM %1$s WHERE ctid = ANY (ARRAY (
                    SELECT ctid FROM %1$s expired
                    WHERE processed_at >= :from
                      AND processed_at < statement_timestamp() - make_interval(secs => :retention)
                      AND (SELECT true FROM %2$s
                           WHERE event_id = expired.event_id AND consumer = expired.consumer AND decided_at IS NULL
                           LIMIT 1) IS NULL
                    ORDER BY processed_at
                    LIMIT :batch
                    FOR UPDATE SKIP LOCKED
                ))
                RETURNING processed_at
            )
            SELECT count(*) AS number, max(processed_at) AS newest FROM forgotten
            """;

    /*
     * For this transaction alone: where the planner believes that few events are old it would rather read and sort all that
     * are, for every batch.
     */
    private static final String FOLLOW_THE_INDEX = """
            SELECT set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true),
                   set_config('enable_bitmapscan', 'off', true), set_config('jit', 'off', true)
            """;

    private static final OffsetDateTime BEGINNING = Instant.EPOCH.atOffset(ZoneOffset.UTC);

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final PurgeSettings settings;
    private final String deleteBatch;

    /**
     * @param table one table without its prefix: rows are deleted by their place in it, which other partitions have too
     */
    ExpiredEvents(DataSource dataSource, TableNames tables, String table, PurgeSettings settings) {
        this.jdbc = JdbcClient.create(dataSource);
        // A transaction of its own also makes a delete durable through a pool with auto-commit off.
        this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        this.settings = settings;
        this.deleteBatch = DELETE_BATCH.formatted(tables.qualified(table), tables.qualified(InboxTables.DEAD_LETTER));
    }

    /** Deletes them batch by batch, each in its own transaction, and returns how many they were. */
    long delete() {
        long total = 0;
        OffsetDateTime from = BEGINNING;
        while (!Thread.currentThread().isInterrupted()) {
            Batch batch = deleteFrom(from);
            total += batch.number();
            if (batch.number() < settings.batchSize() || batch.newest() == null) {
                break;
            }
            // Begin where the last batch ended: the index entries before it are dead but may not be cleaned up yet.
            from = batch.newest();
        }
        return total;
    }

    private Batch deleteFrom(OffsetDateTime from) {
        Batch batch = transaction.execute(status -> {
            jdbc.sql(FOLLOW_THE_INDEX).query().listOfRows();
            return jdbc.sql(deleteBatch)
                    .param("from", from)
                    .param("retention", settings.retention().toMillis() / 1000.0)
                    .param("batch", settings.batchSize())
                    .query((row, number) ->
                            new Batch(row.getLong("number"), row.getObject("newest", OffsetDateTime.class)))
                    .single();
        });
        return batch == null ? new Batch(0, null) : batch;
    }

    private record Batch(long number, @Nullable OffsetDateTime newest) {}
}
