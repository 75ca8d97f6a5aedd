package dev.outbox.example.orders;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Where an order stands; the lower-case name is used in JSON and in the database. */
enum OrderStatus {
    /** Placed; may be confirmed. */
    PENDING,
    /** Confirmed; final. */
    CONFIRMED;

    @JsonValue
    String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    static OrderStatus ofCode(String code) {
        return valueOf(code.toUpperCase(Locale.ROOT));
    }
}
