package dev.outbox.example.billing;

import java.util.List;
import java.util.UUID;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Invoices over HTTP. */
@RestController
@RequestMapping("/invoices")
class InvoiceController {

    private final InvoiceRepository invoices;

    InvoiceController(InvoiceRepository invoices) {
        this.invoices = invoices;
    }

    @GetMapping
    List<Invoice> findByOrder(@RequestParam UUID orderId) {
        return invoices.findByOrder(orderId);
    }
}
