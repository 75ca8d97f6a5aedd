package dev.outbox.inbox;

import java.util.List;

/**
 * What a decision changed, or would change.
 *
 * @param count how many dead letters it changed; for a redrive or discard, those that had waited behind them and were
 *     processed then are among them
 * @param failed how many failed again, and stay dead with their new cause
 * @param passedOver how many were left alone, because somebody else decided on them meanwhile or an earlier letter of
 *     their aggregate comes first
 * @param ids which were changed, ascending; of a preview at most {@value #PREVIEWED} of them
 */
public record DecisionResult(long count, long failed, long passedOver, List<Long> ids) {

    /** The most dead letters that a preview names. */
    public static final int PREVIEWED = 100;

    public DecisionResult {
        ids = List.copyOf(ids);
    }
}
