package dev.outbox.benchmarks;

import io.namastack.outbox.Outbox;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/**
 * Namastack Outbox with JDBC on a database of its own. Strict order by record key; a record is marked by an update of its own
 * once its handler has returned, which waits for the acknowledgement.
 */
final class Namastack {

    private static final int APPENDS = 1_000;
    private static final long ANY_SEED = 42;
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final Duration LOOK_EVERY = Duration.ofMillis(20);

    private static final String LEFT = "SELECT count(*) FROM outbox_record WHERE status <> 'COMPLETED'";

    /* Never looks again after the start, when nothing is there yet. */
    private static final Map<String, Object> ASLEEP = Map.of("namastack.outbox.polling.fixed.interval", "1h");

    /* The settings of the consumer in the performance test in their own repository. */
    private static final Map<String, Object> FAST = Map.of(
            "namastack.outbox.polling.batch-size", "1000",
            "namastack.outbox.polling.fixed.interval", "100ms",
            "namastack.outbox.processing.executor-core-pool-size", "16",
            "namastack.outbox.processing.executor-max-pool-size", "32",
            "namastack.outbox.instance.rebalance-interval", "1s",
            "namastack.outbox.multicaster.enabled", "false",
            "spring.datasource.hikari.maximum-pool-size", "30");

    /* The relay's; without the client's linger, which a sender that waits for each record would pay every time. */
    static final Map<String, String> PRODUCER = Map.of(
            "spring.kafka.producer.acks", "all",
            "spring.kafka.producer.compression-type", "zstd",
            "spring.kafka.producer.properties.linger.ms", "0",
            "spring.kafka.producer.value-serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");

    private final Bench bench;
    private final OutboxDatabase database;
    private final int events;

    Namastack(Bench bench, OutboxDatabase database, int events) {
        this.bench = bench;
        this.database = database;
        this.events = events;
    }

    /** Makes a round and returns the rate from the first record's sending to the last one's mark. */
    double measure() throws Exception {
        return bench.servers().withTopic(Map.of(), topic -> {
            try (ConfigurableApplicationContext asleep = open(topic, ASLEEP)) {
                database.jdbc().sql("TRUNCATE outbox_record").update();
                fill(asleep);
            }
            database.jdbc().sql("VACUUM (ANALYZE) outbox_record").update();
            database.jdbc().sql("CHECKPOINT").update();
            double seconds = drain(topic);
            if (bench.servers().records(topic) < events) {
                throw new IllegalStateException(
                        "Namastack has marked %d events, but the topic has fewer".formatted(events));
            }
            return events / seconds;
        });
    }

    private void fill(ConfigurableApplicationContext context) {
        Outbox outbox = context.getBean(Outbox.class);
        JsonMapper json = context.getBean(JsonMapper.class);
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        Random random = new Random(ANY_SEED);
        for (int left = events; left > 0; left -= APPENDS) {
            int appends = Math.min(left, APPENDS);
            transaction.executeWithoutResult(status -> {
                for (int append = 0; append < appends; append++) {
                    int number = random.nextInt(Orders.COUNT);
                    outbox.schedule(json.readValue(Orders.payload(number), OrderChanged.class), Orders.id(number));
                }
            });
        }
    }

    private double drain(String topic) {
        try (ConfigurableApplicationContext awake = open(topic, FAST)) {
            NamastackHandler handler = awake.getBean(NamastackHandler.class);
            Awaitility.await("all events are published and marked")
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(LOOK_EVERY)
                    .atMost(LIMIT)
                    .until(() -> handler.acknowledged() >= events && left() == 0);
            return (System.nanoTime() - handler.began()) / 1e9;
        }
    }

    private long left() {
        return database.jdbc().sql(LEFT).query(Long.class).single();
    }

    private ConfigurableApplicationContext open(String topic, Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(OursRelay.properties(bench.servers(), database, "namastack"));
        all.putAll(settings);
        all.put(OneLibrary.PROPERTY, OneLibrary.NAMASTACK);
        all.put("benchmark.topic", topic);
        all.putAll(PRODUCER);
        return new SpringApplicationBuilder(NamastackApplication.class)
                .web(WebApplicationType.NONE)
                .properties(all)
                .run();
    }
}
