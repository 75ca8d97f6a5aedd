package dev.outbox.inbox.jdbc;

import dev.outbox.postgresql.CallerTransaction;
import dev.outbox.postgresql.TransactionPhase;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Statements in the transaction that the calling thread has open on the inbox's {@code DataSource}. Thread-safe. */
final class CurrentTransaction {

    private final CallerTransaction transaction;
    private final Map<DataSource, JdbcClient> clients = new ConcurrentHashMap<>();

    CurrentTransaction(DataSource dataSource, TransactionPhase phase) {
        this.transaction = new CallerTransaction("The inbox", dataSource, phase);
    }

    /**
     * Returns what runs statements in it.
     *
     * @throws dev.outbox.postgresql.TransactionRequiredException if there is none, it is read-only or completing
     */
    JdbcClient client() {
        // The same statement through the bound DataSource, a proxy or not, joins the transaction.
        return clients.computeIfAbsent(transaction.require(), JdbcClient::create);
    }
}
