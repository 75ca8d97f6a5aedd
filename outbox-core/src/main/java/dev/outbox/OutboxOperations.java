package dev.outbox;

import java.util.List;

/**
 * What operators decide: whether a parked record is tried again or discarded, whether published ones are published once
 * more, and what the relays of all instances leave alone for a while.
 *
 * <p>Every decision leaves an audit entry that says who made it and why, and names the records that it changed. It is
 * written in transactions of its own, of at most 1,000 records, whatever transaction the caller has open; when a method
 * returns, its work is durable, and when it fails midway, what the audit names was done. Two operators who decide on the
 * same records at once change each of them once: the second finds nothing to do.
 *
 * <p>Implementations are safe for use by several threads.
 */
public interface OutboxOperations {

    /** The most entries of one page. */
    int MAX_PAGE = 1_000;

    /**
     * Parked records that nobody has decided on, in the order in which they were parked.
     *
     * @param after where to go on: {@link ParkedRecord#position()} of the last record of the page before, or {@link
     *     ParkedRecord.Position#START}
     * @param limit the most records to return, 1 to {@value #MAX_PAGE}; fewer mean that there are no more
     */
    List<ParkedRecord> parked(RecordFilter filter, ParkedRecord.Position after, int limit);

    /**
     * Lets parked records be tried again, with no attempt counted. What waits behind them of their aggregates follows in
     * order. Their last error stays until they are published.
     *
     * @throws TooManyRecordsException if more match than the filter allows
     * @throws IllegalArgumentException if the filter asks for published records
     */
    DecisionResult retry(RecordFilter filter, Decision decision);

    /** What {@link #retry} would do now. Nothing is written, and {@link RecordFilter#atMost()} is no limit. */
    DecisionResult previewRetry(RecordFilter filter);

    /**
     * Gives parked records up for good: they stay in the tables and are never published. What waits behind them of their
     * aggregates goes on.
     *
     * @throws TooManyRecordsException if more match than the filter allows
     * @throws IllegalArgumentException if the filter has no criterion or asks for published records
     */
    DecisionResult discard(RecordFilter filter, Decision decision);

    /** What {@link #discard} would do now. Nothing is written, and {@link RecordFilter#atMost()} is no limit. */
    DecisionResult previewDiscard(RecordFilter filter);

    /**
     * Publishes records once more that were published and are not purged yet, under the same event ids and in the order of
     * each aggregate. Later events of the same aggregates wait until theirs are out again. Unless the filter names seqs,
     * this reads the rows of the time in question one after the other, so give it a time of appending if you can.
     *
     * @throws TooManyRecordsException if more match than the filter allows
     * @throws IllegalArgumentException if the filter has no criterion
     */
    DecisionResult republish(RecordFilter filter, Decision decision);

    /** What {@link #republish} would do now. Nothing is written, and {@link RecordFilter#atMost()} is no limit. */
    DecisionResult previewRepublish(RecordFilter filter);

    /**
     * Stops publishing to a topic, on all instances, as soon as their relays look for work again.
     *
     * @return whether it was not paused before; otherwise nothing changed
     * @throws IllegalArgumentException if Kafka would not take the topic's name
     */
    boolean pause(String topic, Decision decision);

    /**
     * Ends the pause of a topic. Its records are due at once, those that wait for a retry included.
     *
     * @return whether it was paused; otherwise nothing changed
     * @throws IllegalArgumentException if Kafka would not take the topic's name
     */
    boolean resume(String topic, Decision decision);

    /**
     * Stops publishing altogether, on all instances, as soon as their relays look for work again.
     *
     * @return whether they were not stopped before; otherwise nothing changed
     */
    boolean pauseRelay(Decision decision);

    /**
     * Ends the pause of the relay as a whole. Topics that are paused remain so.
     *
     * @return whether it was paused; otherwise nothing changed
     */
    boolean resumeRelay(Decision decision);

    /** What is paused: the relay as a whole first, then topics by name. */
    List<Pause> pauses();

    /**
     * What was decided, newest first.
     *
     * @param before the {@link AuditEntry#id()} of the last entry of the page before, or {@link AuditEntry#NEWEST}
     * @param limit the most entries to return, 1 to {@value #MAX_PAGE}
     */
    List<AuditEntry> audit(long before, int limit);
}
