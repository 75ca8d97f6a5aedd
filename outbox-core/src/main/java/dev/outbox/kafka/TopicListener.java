package dev.outbox.kafka;

/**
 * Told when a topic can take records again, so that those that were put off need not wait out their delay. Called on
 * threads of the publisher, which must not be kept; what it throws is logged.
 */
@FunctionalInterface
public interface TopicListener {

    /** The topic takes records: it was found, or an outage is over. */
    void opened(String topic);

    /** One record of the topic is wanted, to find out whether an outage is over; others are refused until then. */
    default void probing(String topic) {}
}
