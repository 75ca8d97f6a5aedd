package dev.outbox.inbox;

import java.time.Instant;
import java.util.List;

/**
 * One transaction of a decision.
 *
 * @param id grows with time
 * @param decidedAt when, by the database's clock
 * @param actor who
 * @param action what: {@code redrive}, {@code redrive failed} or {@code discard}
 * @param reason why
 * @param ids the dead letters it was done to
 */
public record AuditEntry(long id, Instant decidedAt, String actor, String action, String reason, List<Long> ids) {

    /** Comes before the newest entry in a list that begins with it. */
    public static final long NEWEST = Long.MAX_VALUE;

    public AuditEntry {
        ids = List.copyOf(ids);
    }
}
