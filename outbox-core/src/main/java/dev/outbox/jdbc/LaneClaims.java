package dev.outbox.jdbc;

/** Takes lanes: one implementation for each claim mode. */
interface LaneClaims {

    /** Takes up to so many lanes that have something to publish. */
    HeldLanes claim(int lanes);

    /** Takes a whole set of so many lanes, or nothing. */
    HeldLanes claimSet(int lanes);
}
