package dev.outbox.example.orders;

import java.util.UUID;

/**
 * An order as it stands.
 *
 * @param version number of facts announced about this order so far: 0 when placed
 */
record Order(UUID id, String customer, long amountCents, OrderStatus status, long version) {}
