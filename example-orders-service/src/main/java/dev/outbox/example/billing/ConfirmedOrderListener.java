package dev.outbox.example.billing;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotentListener;
import org.springframework.stereotype.Component;

/** Writes the invoice of a confirmed order. */
@Component
class ConfirmedOrderListener {

    private final InvoiceRepository invoices;

    ConfirmedOrderListener(InvoiceRepository invoices) {
        this.invoices = invoices;
    }

    @IdempotentListener(topics = "orders.v1", consumer = "billing")
    void issueInvoice(OrderConfirmed event, EventMetadata metadata) {
        invoices.insert(event, metadata.eventId());
    }
}
