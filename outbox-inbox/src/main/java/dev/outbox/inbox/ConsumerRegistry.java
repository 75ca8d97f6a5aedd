package dev.outbox.inbox;

/** Knows which Kafka group uses the name of a consumer, across all applications on one database. Thread-safe. */
@FunctionalInterface
public interface ConsumerRegistry {

    /**
     * Says that a consumer is at work here. To be repeated well within the inbox's retention: a name that nobody has
     * used for that long is free, because then nothing is remembered under it either.
     *
     * @param group its Kafka group; instances of one service have the same
     * @throws ConsumerNameClashException if another group uses the name
     * @throws InboxUnavailableException if the database cannot tell
     */
    void register(ConsumerName consumer, String group);
}
