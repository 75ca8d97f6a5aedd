package dev.outbox.example.billing;

import java.time.Instant;
import java.util.UUID;

/**
 * An invoice.
 *
 * @param number running number
 * @param eventId event that led to this invoice
 */
record Invoice(long number, UUID orderId, String customer, long amountCents, UUID eventId, Instant issuedAt) {}
