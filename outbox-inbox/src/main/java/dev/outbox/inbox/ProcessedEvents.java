package dev.outbox.inbox;

import dev.outbox.postgresql.CallerTransaction;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The events that were processed, recorded in the transaction of the calling thread. */
final class ProcessedEvents {

    private static final String RECORD = """
            INSERT INTO %s (consumer, event_id) VALUES (:consumer, :event_id)
            ON CONFLICT (consumer, event_id) DO NOTHING
            """;

    private final CallerTransaction transaction;
    private final String table;
    private final String record;
    private final Map<DataSource, JdbcClient> clients = new ConcurrentHashMap<>();

    ProcessedEvents(DataSource dataSource, TransactionPhase phase, TableNames tables) {
        this.transaction = new CallerTransaction("The inbox", dataSource, phase);
        this.table = tables.qualified(InboxSchema.PROCESSED);
        this.record = RECORD.formatted(table);
    }

    /** Returns the {@code DataSource} that the transaction of the calling thread is bound to, or refuses. */
    DataSource requireTransaction() {
        return transaction.require();
    }

    /** Returns true if the event is new to the consumer, false if it is a duplicate. */
    boolean add(ConsumerName consumer, UUID eventId) {
        // The same statement through the bound DataSource, a proxy or not, joins the transaction.
        JdbcClient client = clients.computeIfAbsent(requireTransaction(), JdbcClient::create);
        try {
            return client.sql(record)
                            .param("consumer", consumer.value())
                            .param("event_id", eventId)
                            .update()
                    == 1;
        } catch (DataAccessException e) {
            throw new InboxUnavailableException(
                    "Event " + eventId + " could not be recorded for consumer '" + consumer + "' in " + table, e);
        }
    }
}
