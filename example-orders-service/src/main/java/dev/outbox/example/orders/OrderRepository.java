package dev.outbox.example.orders;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table {@code orders}. */
@Repository
class OrderRepository {

    private static final String INSERT = """
            INSERT INTO orders (customer, amount_cents)
            VALUES (:customer, :amountCents)
            RETURNING id, customer, amount_cents, status, version
            """;

    private static final String SELECT = """
            SELECT id, customer, amount_cents, status, version
            FROM orders
            WHERE id = :id
            """;

    // The condition decides the race between two confirmations: the second one finds no pending row.
    private static final String CONFIRM = """
            UPDATE orders
            SET status = 'confirmed', version = version + 1
            WHERE id = :id AND status = 'pending'
            RETURNING id, customer, amount_cents, status, version
            """;

    private final JdbcClient jdbc;

    OrderRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Order insert(String customer, long amountCents) {
        return jdbc.sql(INSERT)
                .param("customer", customer)
                .param("amountCents", amountCents)
                .query(OrderRepository::order)
                .single();
    }

    Optional<Order> find(UUID id) {
        return jdbc.sql(SELECT).param("id", id).query(OrderRepository::order).optional();
    }

    /** Returns the confirmed order, or empty when no pending order has this id. */
    Optional<Order> confirm(UUID id) {
        return jdbc.sql(CONFIRM).param("id", id).query(OrderRepository::order).optional();
    }

    private static Order order(ResultSet row, int number) throws SQLException {
        return new Order(
                row.getObject("id", UUID.class),
                row.getString("customer"),
                row.getLong("amount_cents"),
                OrderStatus.ofCode(row.getString("status")),
                row.getLong("version"));
    }
}
