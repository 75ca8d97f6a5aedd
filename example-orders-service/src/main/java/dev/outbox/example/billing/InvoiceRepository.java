package dev.outbox.example.billing;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table {@code invoice}. */
@Repository
class InvoiceRepository {

    private static final String INSERT = """
            INSERT INTO invoice (order_id, customer, amount_cents, event_id)
            VALUES (:orderId, :customer, :amountCents, :eventId)
            """;

    private static final String SELECT_BY_ORDER = """
            SELECT number, order_id, customer, amount_cents, event_id, issued_at
            FROM invoice
            WHERE order_id = :orderId
            ORDER BY number
            """;

    private final JdbcClient jdbc;

    InvoiceRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void insert(OrderConfirmed event, UUID eventId) {
        jdbc.sql(INSERT)
                .param("orderId", event.orderId())
                .param("customer", event.customer())
                .param("amountCents", event.amountCents())
                .param("eventId", eventId)
                .update();
    }

    List<Invoice> findByOrder(UUID orderId) {
        return jdbc.sql(SELECT_BY_ORDER)
                .param("orderId", orderId)
                .query(InvoiceRepository::invoice)
                .list();
    }

    private static Invoice invoice(ResultSet row, int number) throws SQLException {
        return new Invoice(
                row.getLong("number"),
                row.getObject("order_id", UUID.class),
                row.getString("customer"),
                row.getLong("amount_cents"),
                row.getObject("event_id", UUID.class),
                row.getObject("issued_at", OffsetDateTime.class).toInstant());
    }
}
