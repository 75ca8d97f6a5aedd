package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.Admission;
import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.DeadLetters;
import dev.outbox.inbox.FailedEvent;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.InboxOperations;
import dev.outbox.inbox.LocalConsumers;
import dev.outbox.inbox.Verdict;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The dead letters in PostgreSQL. Thread-safe. */
public final class JdbcDeadLetters implements DeadLetters {

    private final DataSource dataSource;
    private final PlatformTransactionManager transactionManager;
    private final TransactionPhase phase;
    private final TableNames tables;
    private final Inbox inbox;
    private final DeadLetterRows rows;
    private final AggregateQueue queue;
    private final ProcessedEvents processed;

    /**
     * @param dataSource where the inbox's tables are
     * @param transactionManager the application's, which works on that {@code DataSource}
     * @param phase a listener that was added to the transaction manager
     * @param tables where the tables live
     * @param inbox which has the same tables and transaction manager
     */
    public JdbcDeadLetters(
            DataSource dataSource,
            PlatformTransactionManager transactionManager,
            TransactionPhase phase,
            TableNames tables,
            Inbox inbox) {
        this.dataSource = dataSource;
        this.transactionManager = transactionManager;
        this.phase = phase;
        this.tables = tables;
        this.inbox = inbox;
        CurrentTransaction transaction = new CurrentTransaction(dataSource, phase);
        this.rows = new DeadLetterRows(transaction, tables);
        this.queue = new AggregateQueue(transaction, tables);
        this.processed = new ProcessedEvents(dataSource, phase, tables);
    }

    @Override
    public boolean add(ConsumerName consumer, FailedEvent event, Runnable beforeCommit) {
        UUID eventId = event.eventId();
        if (eventId == null) {
            return Boolean.TRUE.equals(new TransactionTemplate(transactionManager)
                    .execute(status -> write(consumer, event, beforeCommit)));
        }
        return inbox.process(consumer, List.of(eventId), fresh -> {
                            write(consumer, event, beforeCommit);
                            return Map.of(eventId, Verdict.DEAD_LETTERED);
                        })
                        .get(eventId)
                == Verdict.DEAD_LETTERED;
    }

    @Override
    public void addRecorded(ConsumerName consumer, FailedEvent event) {
        UUID eventId = event.eventId();
        if (eventId == null) {
            throw new IllegalArgumentException("The " + event + " can't have been recorded; use add");
        }
        write(consumer, event, () -> {});
        processed.renew(consumer, eventId);
    }

    private boolean write(ConsumerName consumer, FailedEvent event, Runnable beforeCommit) {
        UUID key = AggregateQueue.key(event.metadata());
        if (key != null) {
            queue.lock(consumer, key);
        }
        boolean added = rows.add(
                consumer,
                event.record(),
                event.metadata(),
                new DeadLetterRows.Failure(event.attempts(), event.failingFor(), event.cause()));
        if (added) {
            beforeCommit.run();
        }
        return added;
    }

    @Override
    public Admission parkAggregate() {
        return new ParkedAggregates(rows, queue);
    }

    /**
     * Returns what decides about them.
     *
     * @param consumers those whose events can be redriven
     * @param listeners observers of what is redriven, each isolated from the others
     */
    public InboxOperations operations(LocalConsumers consumers, Collection<? extends InboxListener> listeners) {
        OperatorTransactions transactions = new OperatorTransactions(dataSource, transactionManager, phase, tables);
        LetterDecisions letters = new LetterDecisions(rows, queue, processed, transactions.audit());
        Redrive redrive = new Redrive(transactions, letters, consumers, inbox, InboxListener.all(listeners));
        return new JdbcInboxOperations(
                transactions, new DeadLetterSearch(transactions, tables), letters, redrive, consumers);
    }
}
