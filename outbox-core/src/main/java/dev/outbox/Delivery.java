package dev.outbox;

import java.time.Instant;

/**
 * A stored record on its way to Kafka.
 *
 * @param seq its place in the outbox; within one aggregate the order of appends
 * @param lane the lane it is claimed by
 * @param aggregateHash {@link Aggregate#hash()}
 * @param attempts how often publishing failed by its own fault so far
 * @param createdAt when it was appended, by the database's clock
 * @param event the record
 */
public record Delivery(long seq, int lane, long aggregateHash, int attempts, Instant createdAt, OutboxRecord event) {}
