package dev.outbox.jdbc;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Lanes that one relay holds, whatever holds them: the seam between the claim modes. */
interface HeldLanes {

    /** What was claimed, with the floor of each lane. */
    List<Lane> lanes();

    /** Topics that operators have stopped, as of the claim. */
    Set<String> pausedTopics();

    /** Claims further lanes and returns those. */
    List<Lane> extend(int lanes);

    /** Whether what is sent now will have ended before anybody else can hold these lanes. */
    boolean isHeld();

    /** Runs a query on the claiming thread. */
    <T> T read(Supplier<T> query);

    /** Runs writes in a transaction of their own, on any thread; refuses when the lanes were lost for certain. */
    <T> T write(Supplier<T> writes);

    /**
     * Gives the lanes back.
     *
     * @param floors of the lanes whose floor shall be moved
     */
    void release(Map<Integer, Long> floors);

    /**
     * One lane.
     *
     * @param lane its number
     * @param floor nothing ready stands at or below, as of the claim
     */
    record Lane(int lane, long floor) {}
}
