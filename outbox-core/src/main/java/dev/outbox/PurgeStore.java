package dev.outbox;

/** Removes records that are published or discarded and older than a retention. For one thread. */
public interface PurgeStore {

    /**
     * Goes one short transaction further. A round begins with the first call and ends with a step that says so; the call
     * after that begins the next round. Another owner may be at work, in this process or another: then the round is over
     * at once.
     */
    Step step();

    /** Forgets where the round was, so that the next step begins another one. Asks nothing of the database. */
    void restart();

    /**
     * What one step did.
     *
     * @param removed records that are gone for good
     * @param last whether the round is over
     */
    record Step(int removed, boolean last) {}
}
