package dev.outbox.jdbc;

import dev.outbox.AppendLimits;
import dev.outbox.AuditEntry;
import dev.outbox.Decision;
import dev.outbox.DecisionResult;
import dev.outbox.OutboxOperations;
import dev.outbox.ParkedRecord;
import dev.outbox.Pause;
import dev.outbox.RecordFilter;
import dev.outbox.jdbc.RecordDecisions.Action;
import dev.outbox.postgresql.TableNames;
import java.util.List;
import javax.sql.DataSource;

/** What operators decide, written into the tables that the relays of all instances read. */
public final class JdbcOutboxOperations implements OutboxOperations {

    private final OperatorTransactions transactions;
    private final AuditTrail audit;
    private final RecordDecisions decisions;
    private final ParkedRecords parked;
    private final Pauses pauses;
    private final PutOffRecords putOff;

    /**
     * @param dataSource the outbox's own
     * @param names where the tables live
     */
    public JdbcOutboxOperations(DataSource dataSource, TableNames names) {
        this.transactions = new OperatorTransactions(dataSource);
        this.audit = new AuditTrail(transactions.jdbc(), names);
        RecordSearch search = new RecordSearch(transactions, names);
        this.decisions = new RecordDecisions(transactions, search, audit, names);
        this.parked = new ParkedRecords(search);
        this.pauses = new Pauses(transactions, audit, names);
        this.putOff = new PutOffRecords(transactions, names);
    }

    @Override
    public List<ParkedRecord> parked(RecordFilter filter, ParkedRecord.Position after, int limit) {
        requirePage(limit);
        Action.RETRY.check(filter);
        return parked.page(filter, after, limit);
    }

    @Override
    public DecisionResult retry(RecordFilter filter, Decision decision) {
        return decisions.decide(Action.RETRY, filter, decision);
    }

    @Override
    public DecisionResult previewRetry(RecordFilter filter) {
        return decisions.preview(Action.RETRY, filter);
    }

    @Override
    public DecisionResult discard(RecordFilter filter, Decision decision) {
        return decisions.decide(Action.DISCARD, filter, decision);
    }

    @Override
    public DecisionResult previewDiscard(RecordFilter filter) {
        return decisions.preview(Action.DISCARD, filter);
    }

    @Override
    public DecisionResult republish(RecordFilter filter, Decision decision) {
        return decisions.decide(Action.REPUBLISH, filter, decision);
    }

    @Override
    public DecisionResult previewRepublish(RecordFilter filter) {
        return decisions.preview(Action.REPUBLISH, filter);
    }

    @Override
    public boolean pause(String topic, Decision decision) {
        requireTopic(topic);
        return pauses.pause(topic, decision);
    }

    /* The pause ends first: what a relay puts off meanwhile, it puts off for a moment only. */
    @Override
    public boolean resume(String topic, Decision decision) {
        requireTopic(topic);
        boolean resumed = pauses.resume(topic, decision);
        if (resumed) {
            putOff.makeDue(topic);
        }
        return resumed;
    }

    @Override
    public boolean pauseRelay(Decision decision) {
        return pauses.pause(Pauses.WHOLE_RELAY, decision);
    }

    @Override
    public boolean resumeRelay(Decision decision) {
        return pauses.resume(Pauses.WHOLE_RELAY, decision);
    }

    @Override
    public List<Pause> pauses() {
        return pauses.list();
    }

    @Override
    public List<AuditEntry> audit(long before, int limit) {
        requirePage(limit);
        return transactions.read(() -> audit.read(before, limit));
    }

    private static void requirePage(int limit) {
        if (limit < 1 || limit > MAX_PAGE) {
            throw new IllegalArgumentException("limit: " + limit + " entries, from 1 to " + MAX_PAGE + " allowed");
        }
    }

    private static void requireTopic(String topic) {
        if (!AppendLimits.isLegalTopic(topic)) {
            throw new IllegalArgumentException(
                    "topic: " + topic.length() + " characters, not a legal Kafka topic name: 1" + " to "
                            + AppendLimits.MAX_TOPIC_LENGTH + " of a-z A-Z 0-9 . _ -");
        }
    }
}
