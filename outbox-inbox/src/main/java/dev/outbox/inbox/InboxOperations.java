package dev.outbox.inbox;

import java.util.List;

/**
 * What operators decide about dead letters.
 *
 * <p>Every letter is decided in a transaction of its own, whatever transaction the caller has open, with an audit entry
 * that says who decided and why. When a method returns, its work is durable, and when it fails midway, what the audit
 * names was done. Two operators who decide on the same letters at once change each of them once.
 *
 * <p>Implementations are safe for use by several threads.
 */
public interface InboxOperations {

    /** The most entries of one page. */
    int MAX_PAGE = 1_000;

    /**
     * Dead letters that nobody has decided on, by id.
     *
     * @param after where to go on: the {@link DeadLetter#id()} of the last one of the page before, or 0
     * @param limit the most to return, 1 to {@value #MAX_PAGE}; fewer mean that there are no more
     */
    List<DeadLetter> deadLetters(DeadLetterFilter filter, long after, int limit);

    /**
     * Processes dead events once more, by id, with the handlers of this application and on the calling thread: no other
     * consumer group sees anything of it. What waits behind them of their aggregates follows in order, up to the first one
     * that fails. An event that fails stays dead, with one more attempt and its new cause.
     *
     * @throws TooManyDeadLettersException if more match than the filter allows
     * @throws IllegalArgumentException if this application doesn't have the consumer of one that matches; the message names
     *     those that it has. Nothing was done
     */
    DecisionResult redrive(DeadLetterFilter filter, Decision decision);

    /** What {@link #redrive} would try now. Nothing is written, and {@link DeadLetterFilter#atMost()} is no limit. */
    DecisionResult previewRedrive(DeadLetterFilter filter);

    /**
     * Gives dead and waiting events up for good: they are never processed. What waits behind them of their aggregates is
     * processed in order, as by a redrive; where this application doesn't have the consumer, the first of it becomes dead
     * instead and waits for a redrive.
     *
     * @throws TooManyDeadLettersException if more match than the filter allows
     * @throws IllegalArgumentException if the filter has no criterion
     */
    DecisionResult discard(DeadLetterFilter filter, Decision decision);

    /** What {@link #discard} would do now. Nothing is written, and {@link DeadLetterFilter#atMost()} is no limit. */
    DecisionResult previewDiscard(DeadLetterFilter filter);

    /**
     * What was decided, newest first.
     *
     * @param before the {@link AuditEntry#id()} of the last entry of the page before, or {@link AuditEntry#NEWEST}
     * @param limit the most entries to return, 1 to {@value #MAX_PAGE}
     */
    List<AuditEntry> audit(long before, int limit);
}
