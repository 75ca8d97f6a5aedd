package dev.outbox;

import java.time.Duration;

/**
 * What is not published, at one moment.
 *
 * @param waiting records that the relay will publish, up to a bound of the store
 * @param blocked of those, the ones that wait for a retry or behind another record of their aggregate
 * @param parked records that wait for a decision
 * @param oldestAge age of the oldest record that is neither parked nor behind a parked one; zero when there is none
 */
public record Backlog(long waiting, long blocked, long parked, Duration oldestAge) {

    /** Nothing is waiting. */
    public static final Backlog EMPTY = new Backlog(0, 0, 0, Duration.ZERO);
}
