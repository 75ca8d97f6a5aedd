package dev.outbox.chaos.inbox;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The table of dead letters, in which a letter that stands twice is an error. */
final class DeadLetters {

    private static final String ALL = """
            SELECT consumer, event_id::text AS event_id, partition, record_offset FROM inbox_dead_letter WHERE topic = :topic
            """;

    private final JdbcClient jdbc;
    private final String topic;

    /**
     * @param topic where the records came from
     */
    DeadLetters(JdbcClient jdbc, String topic) {
        this.jdbc = jdbc;
        this.topic = topic;
    }

    public List<DeadLetter> all() {
        return jdbc.sql(ALL)
                .param("topic", topic)
                .query((row, number) -> new DeadLetter(
                        row.getString("consumer"),
                        row.getString("event_id"),
                        row.getInt("partition"),
                        row.getLong("record_offset")))
                .list();
    }
}
