package dev.outbox.jdbc;

import dev.outbox.Delivery;

/**
 * Where a record stands.
 *
 * @param seq its number
 * @param lane its lane
 * @param aggregateHash its aggregate
 */
record Place(long seq, int lane, long aggregateHash) {

    static Place of(Delivery delivery) {
        return new Place(delivery.seq(), delivery.lane(), delivery.aggregateHash());
    }
}
