package dev.outbox;

import java.util.List;

/**
 * What a decision changed, or would change.
 *
 * @param count how many records
 * @param seqs which, ascending; of a preview at most {@value #PREVIEWED} of them
 */
public record DecisionResult(long count, List<Long> seqs) {

    /** The most records that a preview names. */
    public static final int PREVIEWED = 100;

    public DecisionResult {
        seqs = List.copyOf(seqs);
    }
}
