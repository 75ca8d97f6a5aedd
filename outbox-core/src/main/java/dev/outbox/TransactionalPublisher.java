package dev.outbox;

import java.util.List;

/**
 * Publishes batches of which consumers that read committed records see all or nothing.
 *
 * <p>Records of one aggregate may stand in one batch in their order, because none of them can fail alone.
 */
public interface TransactionalPublisher {

    /**
     * Publishes a batch in one transaction and waits for its end.
     *
     * @param lanes which lanes the batch is of, as {@code first-last}; whoever published for the same lanes before is
     *     fenced: it can neither commit any more nor hold consumers up with an open transaction
     * @param batch in order of append within each aggregate
     * @return what failed; when it is empty the batch is committed. Otherwise it counts as not published: nothing of it is
     *     to be seen, but where the end of a commit is not known all of it may be
     */
    List<Failed> publish(String lanes, List<Delivery> batch) throws InterruptedException;

    /** The longest time that {@link #publish} takes, in milliseconds. */
    long publishTimeout();

    /**
     * Why a batch was not published. A batch that failed as a whole names its first record. Without the records that are
     * named the rest of the batch may be published at once.
     *
     * @param delivery which record failed
     * @param failure why
     */
    record Failed(Delivery delivery, PublishFailure failure) {}
}
