package dev.outbox.example.billing;

import java.util.UUID;

/** What billing reads of the event {@code order.confirmed}; fields it does not need are left out on purpose. */
record OrderConfirmed(UUID orderId, String customer, long amountCents) {}
