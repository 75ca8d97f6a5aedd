package dev.outbox.kafka;

/** Questions to the broker. They may block, and throw when the answer is no. */
interface BrokerProbe extends AutoCloseable {

    /** Returns when the producer knows the topic's partitions, so that sending to it does not block. */
    void find(String topic);

    /** Returns when a broker has answered and the producer is able to send. */
    void reach();

    @Override
    default void close() {}
}
