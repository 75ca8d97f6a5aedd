package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.OpenDeadLetters;
import dev.outbox.postgresql.TableNames;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What others ask about the open dead letters, each answered from an index. */
final class DeadLetterQueries {

    private static final String BY_CONSUMER = """
            SELECT consumer, count(*) AS number,
                extract(epoch FROM clock_timestamp() - min(first_failed_at)) AS age
            FROM %s WHERE decided_at IS NULL GROUP BY consumer ORDER BY consumer
            """;

    private static final String IN_RANGE = """
            SELECT EXISTS (
                SELECT FROM %s WHERE decided_at IS NULL AND event_id >= :from AND event_id < :to
            )
            """;

    private final JdbcClient jdbc;
    private final String byConsumer;
    private final String inRange;

    DeadLetterQueries(DataSource dataSource, TableNames tables) {
        this(JdbcClient.create(dataSource), tables);
    }

    DeadLetterQueries(JdbcClient jdbc, TableNames tables) {
        this.jdbc = jdbc;
        this.byConsumer = BY_CONSUMER.formatted(tables.qualified(InboxTables.DEAD_LETTER));
        this.inRange = IN_RANGE.formatted(tables.qualified(InboxTables.DEAD_LETTER));
    }

    List<OpenDeadLetters> byConsumer() {
        return jdbc.sql(byConsumer)
                .query((row, number) -> new OpenDeadLetters(
                        new ConsumerName(row.getString("consumer")),
                        row.getLong("number"),
                        Duration.ofMillis(Math.max(0, Math.round(row.getDouble("age") * 1000)))))
                .list();
    }

    /** Whether an event of these ids has an open letter, by PostgreSQL's order of ids; the end is not among them. */
    boolean anyBetween(UUID from, UUID to) {
        return jdbc.sql(inRange)
                .param("from", from)
                .param("to", to)
                .query(Boolean.class)
                .single();
    }
}
