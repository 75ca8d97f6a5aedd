package dev.outbox.example.orders;

import dev.outbox.AggregateId;
import dev.outbox.AggregateVersion;
import dev.outbox.OutboxEvent;
import java.util.UUID;

/** The fact that an order was confirmed, as it goes over the wire. */
@OutboxEvent(type = "order.confirmed", schemaVersion = 1, topic = "orders.v1")
record OrderConfirmed(
        @AggregateId UUID orderId, @AggregateVersion long version, String customer, long amountCents) {}
