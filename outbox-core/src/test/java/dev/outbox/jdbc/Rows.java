package dev.outbox.jdbc;

import dev.outbox.Delivery;
import dev.outbox.TestOutbox;
import java.util.List;
import java.util.Map;

/** The rows of one test, and what is to be seen of them. */
record Rows(TestOutbox outbox) {

    void append(List<String> aggregateIds) {
        aggregateIds.forEach(id -> append(id, 2));
    }

    void append(String aggregateId, int size) {
        outbox.append(TestOutbox.event("orders", aggregateId)
                .payload(new byte[size], "application/octet-stream")
                .build());
    }

    void makeDue() {
        outbox.jdbc
                .sql("UPDATE outbox_delivery SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL")
                .update();
    }

    /** Where each waiting or published row lies: an update moves it. */
    List<Map<String, Object>> places() {
        return outbox.jdbc
                .sql("SELECT seq, ctid::text AS place, xmin::text AS writer FROM outbox_delivery"
                        + " WHERE waiting OR published_at IS NOT NULL ORDER BY seq")
                .query()
                .listOfRows();
    }

    static List<Long> seqs(List<Delivery> deliveries) {
        return deliveries.stream().map(Delivery::seq).toList();
    }
}
