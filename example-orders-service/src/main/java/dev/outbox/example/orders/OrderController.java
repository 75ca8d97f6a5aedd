package dev.outbox.example.orders;

import jakarta.validation.Valid;
import java.net.URI;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Orders over HTTP. */
@RestController
@RequestMapping("/orders")
class OrderController {

    private final OrderService orders;

    OrderController(OrderService orders) {
        this.orders = orders;
    }

    @PostMapping
    ResponseEntity<Order> place(@Valid @RequestBody PlaceOrder request) {
        Order order = orders.place(request.customer(), request.amountCents());
        return ResponseEntity.created(URI.create("/orders/" + order.id())).body(order);
    }

    @GetMapping("/{id}")
    Order find(@PathVariable UUID id) {
        return orders.find(id);
    }

    @PostMapping("/{id}/confirm")
    Order confirm(@PathVariable UUID id) {
        return orders.confirm(id);
    }

    @ExceptionHandler
    ProblemDetail unknown(UnknownOrderException refusal) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, refusal.getMessage());
    }

    @ExceptionHandler
    ProblemDetail notPending(OrderNotPendingException refusal) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, refusal.getMessage());
    }
}
