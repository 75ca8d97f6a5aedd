package dev.outbox;

import java.util.List;

/** What the relay asks of the database. Implementations are safe for use by several relays at once. */
public interface DeliveryStore {

    /**
     * Claims up to {@code lanes} lanes that have something to publish and that no other claim holds. One lane has one
     * holder at a time. The claim belongs to the calling thread, which must close it.
     */
    Claim claim(int lanes);

    /** Counts what is not published. Its cost is bounded, whatever the size of the tables. */
    Backlog backlog();

    /** Lanes held by one thread. */
    interface Claim extends AutoCloseable {

        /** Whether no lane could be claimed: there is nothing to do, or others are doing it. */
        boolean isEmpty();

        /**
         * Reads what may be published now, in order of append within each aggregate: retries that are due with what
         * waits behind them, and records that were never tried. What must wait behind an earlier record of its
         * aggregate is set aside, once, so that reading past it costs nothing later.
         */
        Batch read(BatchLimits limits);

        /** Writes down how deliveries ended, in a transaction of its own, durable when this returns. */
        void record(List<Outcome> outcomes);

        /** Gives the lanes back. */
        @Override
        void close();
    }

    /**
     * One read of the claimed lanes.
     *
     * @param deliveries what may be published, in order of append within each aggregate
     * @param full whether a limit was reached, so that more is probably waiting
     */
    record Batch(List<Delivery> deliveries, boolean full) {}
}
