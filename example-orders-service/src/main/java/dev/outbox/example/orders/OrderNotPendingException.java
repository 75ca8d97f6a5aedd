package dev.outbox.example.orders;

/** The order is past the state that the transition starts from. */
class OrderNotPendingException extends RuntimeException {

    OrderNotPendingException(Order order) {
        super("Order %s is %s; only a pending order can be confirmed."
                .formatted(order.id(), order.status().code()));
    }
}
