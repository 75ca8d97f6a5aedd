package dev.outbox.example.orders;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;

/**
 * The body of {@code POST /orders}.
 *
 * @param customer name of the customer; PostgreSQL stores neither NUL nor half a surrogate pair, so they end here
 * @param amountCents amount in cents
 */
record PlaceOrder(
        @NotBlank
        @Size(max = 200)
        @Pattern(regexp = "[^\\p{Cc}\\p{Cs}]*", message = "must not contain control characters")
        String customer,

        @NotNull @Positive Long amountCents) {}
