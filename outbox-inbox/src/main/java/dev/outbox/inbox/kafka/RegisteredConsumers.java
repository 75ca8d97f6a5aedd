package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.ConsumerRegistry;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxUnavailableException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.TransactionException;

/** Gives each listener the inbox under its consumer's name, which no other Kafka group may use. */
final class RegisteredConsumers {

    private static final Logger LOG = LoggerFactory.getLogger(RegisteredConsumers.class);

    private final Inbox inbox;
    private final ConsumerRegistry registry;
    private final Duration retention;
    private boolean transactionManagerChecked;
    private boolean databaseAnswers;

    /**
     * @param retention how long the inbox remembers events
     */
    RegisteredConsumers(Inbox inbox, ConsumerRegistry registry, Duration retention) {
        this.inbox = inbox;
        this.registry = registry;
        this.retention = retention;
    }

    /**
     * Checks at once who uses the name, if the database can tell; else before the first event.
     *
     * @throws dev.outbox.postgresql.TransactionRequiredException if the transaction manager works on another database
     * @throws dev.outbox.inbox.ConsumerNameClashException if another group uses the name
     */
    synchronized Inbox inboxOf(ConsumerName consumer, String group) {
        checkTransactionManager();
        RegisteredInbox registered = new RegisteredInbox(inbox, registry, group, retention);
        if (databaseAnswers) {
            try {
                registered.register(consumer);
            } catch (InboxUnavailableException e) {
                databaseAnswers = false;
                LOG.warn("Consumer '{}' is checked for another user of its name before its first event", consumer, e);
            }
        }
        return registered;
    }

    private void checkTransactionManager() {
        if (transactionManagerChecked) {
            return;
        }
        transactionManagerChecked = true;
        try {
            inbox.checkTransactionManager();
            databaseAnswers = true;
        } catch (TransactionException e) {
            LOG.warn("The inbox's database cannot be reached; its listeners start all the same and wait for it", e);
        }
    }
}
