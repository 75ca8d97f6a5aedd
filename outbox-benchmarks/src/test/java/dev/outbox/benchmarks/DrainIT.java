package dev.outbox.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DrainIT {

    private static final int EVENTS = 20;

    private static Servers servers;

    @BeforeAll
    static void start() {
        servers = Servers.start();
    }

    @AfterAll
    static void stop() {
        if (servers != null) {
            servers.close();
        }
    }

    @Test
    void theLimitPublishesTheSameRecordsAsTheRelay() throws Exception {
        OutboxDatabase database = servers.createDatabase();
        try (OursRelay ours = OursRelay.open(servers, database);
                Pipeline limit = new Pipeline(servers, database)) {
            List<Map<String, String>> records = servers.withTopic(Map.of(), topic -> {
                new Backlog(database).fill(EVENTS, topic);
                ours.drain(EVENTS);
                database.requireDrained();
                database.jdbc()
                        .sql("UPDATE outbox_delivery SET published_at = NULL")
                        .update();
                limit.drain(EVENTS);
                database.requireDrained();
                return servers.broker().records(topic).stream()
                        .map(DrainIT::parts)
                        .toList();
            });

            assertThat(records).hasSize(2 * EVENTS);
            assertThat(Set.copyOf(records)).hasSize(EVENTS);
        }
    }

    private static Map<String, String> parts(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> parts = new TreeMap<>();
        parts.put("key", text(record.key()));
        parts.put("value", text(record.value()));
        Stream.of(record.headers().toArray()).forEach(header -> parts.put(header.key(), text(header.value())));
        // The same time may end with zeros or not.
        parts.computeIfPresent("ce_time", (name, time) -> Instant.parse(time).toString());
        return parts;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
