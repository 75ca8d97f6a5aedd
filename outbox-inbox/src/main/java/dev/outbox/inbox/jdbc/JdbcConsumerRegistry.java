package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.ConsumerNameClashException;
import dev.outbox.inbox.ConsumerRegistry;
import dev.outbox.inbox.InboxUnavailableException;
import dev.outbox.postgresql.TableNames;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/** Who uses a consumer's name, in a table of one row for each. Thread-safe. */
public final class JdbcConsumerRegistry implements ConsumerRegistry {

    private static final String REGISTER = """
            INSERT INTO %1$s AS present (consumer, group_id, application) VALUES (:consumer, :group, :application)
            ON CONFLICT (consumer) DO UPDATE
            SET group_id = EXCLUDED.group_id, application = EXCLUDED.application, last_seen = clock_timestamp()
            WHERE present.group_id IN (EXCLUDED.group_id, :former)
               OR present.last_seen < clock_timestamp() - make_interval(secs => :retention)
            """;

    private static final String SELECT =
            "SELECT group_id, application, last_seen::timestamptz(0) FROM %s WHERE consumer = :consumer";

    private static final int MAX_LENGTH = 255;

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final Duration retention;
    private final String application;
    private final Map<String, String> formerGroups;
    private final String register;
    private final String select;

    /**
     * @param dataSource where the inbox's tables are
     * @param tables where the tables live
     * @param retention how long the inbox remembers processed events
     * @param application name of this application, for the message that others get
     * @param formerGroups for each consumer whose group was renamed, the group that it had before
     */
    public JdbcConsumerRegistry(
            DataSource dataSource,
            TableNames tables,
            Duration retention,
            String application,
            Map<String, String> formerGroups) {
        this.jdbc = JdbcClient.create(dataSource);
        // A transaction of its own also makes the row durable through a pool with auto-commit off.
        this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        this.retention = retention;
        this.application = storable(application);
        this.formerGroups = Map.copyOf(formerGroups);
        this.register = REGISTER.formatted(tables.qualified(InboxTables.CONSUMER));
        this.select = SELECT.formatted(tables.qualified(InboxTables.CONSUMER));
    }

    @Override
    public void register(ConsumerName consumer, String group) {
        try {
            transaction.executeWithoutResult(status -> {
                if (!isRegistered(consumer, storable(group))) {
                    refuse(consumer, group);
                }
            });
        } catch (DataAccessException | TransactionException e) {
            throw new InboxUnavailableException(
                    "It could not be told who uses the consumer name '" + consumer + "'", e);
        }
    }

    private boolean isRegistered(ConsumerName consumer, String group) {
        return jdbc.sql(register)
                        .param("consumer", consumer.value())
                        .param("group", group)
                        .param("application", application)
                        .param("former", formerGroups.getOrDefault(consumer.value(), group))
                        .param("retention", retention.toMillis() / 1000.0)
                        .update()
                == 1;
    }

    private void refuse(ConsumerName consumer, String group) {
        jdbc.sql(select)
                .param("consumer", consumer.value())
                .query((row, number) -> new ConsumerNameClashException(
                        consumer.value(),
                        group,
                        row.getString(1),
                        "application '" + row.getString(2) + "', last seen " + row.getString(3)))
                .optional()
                .ifPresent(clash -> {
                    throw clash;
                });
    }

    /** PostgreSQL stores neither U+0000 nor half a surrogate pair. */
    private static String storable(String text) {
        StringBuilder stored = new StringBuilder();
        text.codePoints()
                .limit(MAX_LENGTH)
                .map(character ->
                        character == 0 || Character.getType(character) == Character.SURROGATE ? '?' : character)
                .forEach(stored::appendCodePoint);
        return stored.toString();
    }
}
