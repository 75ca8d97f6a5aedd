package dev.outbox.inbox.kafka;

import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Writes effects in the transaction of the calling thread. */
class Effects {

    private final JdbcClient jdbc;

    Effects(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void add(String consumer, UUID eventId) {
        jdbc.sql("INSERT INTO effect (consumer, event_id) VALUES (?, ?)")
                .params(consumer, eventId)
                .update();
    }

    JdbcClient jdbc() {
        return jdbc;
    }
}
