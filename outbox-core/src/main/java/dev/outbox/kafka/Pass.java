package dev.outbox.kafka;

/**
 * The permission to send one record; its outcome is told to {@link Gates} once.
 *
 * @param topic of the record
 * @param topicTurn of the topic's gate
 * @param clusterTurn of the cluster's gate
 */
record Pass(Topic topic, long topicTurn, long clusterTurn) {}
