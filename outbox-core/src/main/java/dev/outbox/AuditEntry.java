package dev.outbox;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One transaction of a decision. A decision about many records has an entry for at most every 1,000 of them.
 *
 * @param id grows with time
 * @param decidedAt when, by the database's clock
 * @param actor who
 * @param action what: {@code retry}, {@code discard}, {@code re-publish}, {@code pause} or {@code resume}
 * @param reason why
 * @param target what it was done to
 */
public record AuditEntry(long id, Instant decidedAt, String actor, String action, String reason, Target target) {

    /** Comes before the newest entry in a list that begins with it. */
    public static final long NEWEST = Long.MAX_VALUE;

    /**
     * What a decision was about.
     *
     * @param topic what was paused or resumed, the empty text for the relay as a whole; {@code null} for records
     * @param seqs the records that this transaction changed, ascending; empty for a pause
     */
    public record Target(@Nullable String topic, List<Long> seqs) {

        public Target {
            seqs = List.copyOf(seqs);
        }
    }
}
