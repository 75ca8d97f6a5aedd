package dev.outbox;

import java.util.List;
import java.util.Set;

/** What the relay asks of the database. Implementations are safe for use by several relays at once. */
public interface DeliveryStore {

    /** Whether something could be published now, whoever holds its lane. One statement whose cost is bounded. */
    boolean hasWork();

    /**
     * Claims up to {@code lanes} lanes that have something to publish, that no other claim holds and that no other relay
     * has asked for. One lane has one holder at a time. The claim belongs to the calling thread, which must close it.
     */
    Claim claim(int lanes);

    /**
     * Claims the lanes from {@code n * lanes} to {@code (n + 1) * lanes - 1} for some n, all of them or none. Relays that
     * claim sets of one size hold the same sets, so that a set can be a name to be fenced by.
     */
    Claim claimSet(int lanes);

    /** Asks the other relays for up to {@code lanes} lanes that have something to publish, for a few seconds. */
    void request(int lanes);

    /** Makes due at once what was put off of a topic that can take records again. */
    void release(String topic);

    /** Makes one record due that was put off of a topic, to find out whether that takes records again. */
    void releaseOne(String topic);

    /** Counts what is not published. Its cost is bounded, whatever the size of the tables. */
    Backlog backlog();

    /** Lanes held by one thread. */
    interface Claim extends AutoCloseable {

        /** The lanes; none when there is nothing to do, or when others are doing it. */
        List<Integer> lanes();

        /** Topics that operators have stopped, as of the claim. */
        Set<String> pausedTopics();

        /** Claims up to {@code lanes} further ones. */
        void extend(int lanes);

        /**
         * Whether what is sent now will have ended before anybody else can hold these lanes. Costs nothing; any thread.
         */
        boolean isHeld();

        /**
         * Reads what may be published now and was not read by this claim before, in order of append within each
         * aggregate: retries that are due with what waits behind them, and records that were never tried. What must wait
         * behind an earlier record of its aggregate is set aside, once, so that reading past it costs nothing later.
         *
         * <p>Nothing of an aggregate is left out: what commits late is read before, or together with, what was appended to
         * its aggregate after it.
         */
        Batch read(BatchLimits limits);

        /**
         * Writes down how deliveries ended, in a transaction of its own, durable when this returns. May be called by any
         * one thread at a time, also while another one reads.
         */
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
