package dev.outbox.example.orders;

import dev.outbox.OutboxWriter;
import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What can be done with an order. */
@Service
class OrderService {

    private final OrderRepository orders;
    private final OutboxWriter outbox;

    OrderService(OrderRepository orders, OutboxWriter outbox) {
        this.orders = orders;
        this.outbox = outbox;
    }

    @Transactional
    Order place(String customer, long amountCents) {
        return orders.insert(customer, amountCents);
    }

    @Transactional(readOnly = true)
    Order find(UUID id) {
        return orders.find(id).orElseThrow(() -> new UnknownOrderException(id));
    }

    /**
     * Confirms a pending order and announces it: both happen, or neither does.
     *
     * @throws UnknownOrderException if there is no such order
     * @throws OrderNotPendingException if the order is not pending; nothing is announced then
     */
    @Transactional
    Order confirm(UUID id) {
        Order order = orders.confirm(id).orElseThrow(() -> refusal(id));
        outbox.append(new OrderConfirmed(order.id(), order.version(), order.customer(), order.amountCents()));
        return order;
    }

    private RuntimeException refusal(UUID id) {
        return orders.find(id)
                .<RuntimeException>map(OrderNotPendingException::new)
                .orElseGet(() -> new UnknownOrderException(id));
    }
}
