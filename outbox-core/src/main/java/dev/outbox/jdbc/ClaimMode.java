package dev.outbox.jdbc;

/** What holds a lane. */
public enum ClaimMode {

    /**
     * Its row's lock. One transaction is open as long as the lanes are held, at most for a tenure and the time that
     * publishing takes. A lane is free at once when its holder dies.
     */
    LOCK,

    /**
     * A time in its row, by the database's clock. No transaction is open while Kafka works. A lane of a holder that dies is
     * free when the lease is over.
     */
    LEASE
}
