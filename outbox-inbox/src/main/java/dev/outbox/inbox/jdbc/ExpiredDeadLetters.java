package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.PurgeSettings;
import dev.outbox.postgresql.TableNames;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The dead letters that were decided longer ago than their retention. The audit of what was decided is kept. */
final class ExpiredDeadLetters {

    private static final String DELETE_BATCH = """
            DELETE FROM %1$s WHERE id = ANY (ARRAY (
                SELECT id FROM %1$s
                WHERE decided_at < statement_timestamp() - make_interval(secs => :retention)
                ORDER BY decided_at
                LIMIT :batch
                FOR UPDATE SKIP LOCKED
            ))
            """;

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final Duration retention;
    private final int batchSize;
    private final String deleteBatch;

    ExpiredDeadLetters(DataSource dataSource, TableNames tables, Duration retention, PurgeSettings settings) {
        this.jdbc = JdbcClient.create(dataSource);
        this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        this.retention = retention;
        this.batchSize = settings.batchSize();
        this.deleteBatch = DELETE_BATCH.formatted(tables.qualified(InboxTables.DEAD_LETTER));
    }

    /** Deletes them batch by batch, each in its own transaction, and returns how many they were. */
    long delete() {
        long total = 0;
        while (!Thread.currentThread().isInterrupted()) {
            Integer batch = transaction.execute(status -> jdbc.sql(deleteBatch)
                    .param("retention", retention.toMillis() / 1000.0)
                    .param("batch", batchSize)
                    .update());
            total += batch == null ? 0 : batch;
            if (batch == null || batch < batchSize) {
                break;
            }
        }
        return total;
    }
}
