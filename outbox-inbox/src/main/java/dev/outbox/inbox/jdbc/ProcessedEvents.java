package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.InboxUnavailableException;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;

/** The events that were processed, recorded in the transaction of the calling thread. */
final class ProcessedEvents {

    private static final String RECORD = """
            INSERT INTO %s (consumer, event_id) VALUES (:consumer, :event_id)
            ON CONFLICT (consumer, event_id) DO NOTHING
            """;

    /** In one order everywhere: two transactions with the same events then wait for each other, and do not deadlock. */
    private static final String RECORD_ALL = """
            INSERT INTO %s (consumer, event_id)
            SELECT :consumer, event_id FROM unnest(:event_ids) AS event_id ORDER BY event_id
            ON CONFLICT (consumer, event_id) DO NOTHING
            RETURNING event_id
            """;

    private static final String RENEW = """
            INSERT INTO %s (consumer, event_id) VALUES (:consumer, :event_id)
            ON CONFLICT (consumer, event_id) DO UPDATE SET processed_at = clock_timestamp()
            """;

    private final CurrentTransaction transaction;
    private final String table;
    private final String record;
    private final String recordAll;

    ProcessedEvents(DataSource dataSource, TransactionPhase phase, TableNames tables) {
        this.transaction = new CurrentTransaction(dataSource, phase);
        this.table = tables.qualified(InboxTables.PROCESSED);
        this.record = RECORD.formatted(table);
        this.recordAll = RECORD_ALL.formatted(table);
    }

    /** Refuses if the calling thread has no transaction in which events can be recorded. */
    void requireTransaction() {
        transaction.client();
    }

    /** Records events and returns those that are new to the consumer, in the order in which they were passed. */
    Set<UUID> add(ConsumerName consumer, Set<UUID> eventIds) {
        try {
            return eventIds.size() == 1 ? addOne(consumer, eventIds.iterator().next()) : addAll(consumer, eventIds);
        } catch (DataAccessException e) {
            throw new InboxUnavailableException(
                    eventIds.size() + " event(s), the first of which is "
                            + eventIds.iterator().next() + ", could not be recorded for consumer '" + consumer + "' in "
                            + table,
                    e);
        }
    }

    /** Lets an event that may have been recorded long ago be remembered as long as one that is processed now. */
    void renew(ConsumerName consumer, UUID eventId) {
        transaction
                .client()
                .sql(RENEW.formatted(table))
                .param("consumer", consumer.value())
                .param("event_id", eventId)
                .update();
    }

    private Set<UUID> addOne(ConsumerName consumer, UUID eventId) {
        int rows = transaction
                .client()
                .sql(record)
                .param("consumer", consumer.value())
                .param("event_id", eventId)
                .update();
        return rows == 1 ? Set.of(eventId) : Set.of();
    }

    private Set<UUID> addAll(ConsumerName consumer, Set<UUID> eventIds) {
        Set<UUID> added = transaction
                .client()
                .sql(recordAll)
                .param("consumer", consumer.value())
                .param("event_ids", eventIds.toArray(UUID[]::new))
                .query(UUID.class)
                .set();
        Set<UUID> inOrder = new LinkedHashSet<>(eventIds);
        inOrder.retainAll(added);
        return inOrder;
    }
}
