package dev.outbox.benchmarks;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/**
 * Spring Modulith's event registry with JDBC on a database of its own. No order; a publication is marked once the
 * acknowledgement has come. What a process left behind is submitted again by one call.
 */
final class Modulith {

    private static final int APPENDS = 1_000;
    private static final long ANY_SEED = 42;
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private static final String LEFT = "SELECT count(*) FROM event_publication WHERE completion_date IS NULL";

    private final Bench bench;
    private final OutboxDatabase database;
    private final int events;

    Modulith(Bench bench, OutboxDatabase database, int events) {
        this.bench = bench;
        this.database = database;
        this.events = events;
    }

    /** Makes a round and returns the rate from the call that submits the backlog to the last mark. */
    double measure() throws Exception {
        return bench.servers().withTopic(Map.of(), topic -> {
            try (ConfigurableApplicationContext losing = open(topic, true)) {
                database.jdbc().sql("TRUNCATE event_publication").update();
                fill(losing);
            }
            if (left() != events) {
                throw new IllegalStateException("Modulith's backlog is not %d events".formatted(events));
            }
            database.jdbc().sql("VACUUM (ANALYZE) event_publication").update();
            database.jdbc().sql("CHECKPOINT").update();
            double seconds = drain(topic);
            if (bench.servers().records(topic) < events) {
                throw new IllegalStateException(
                        "Modulith has marked %d events, but the topic has fewer".formatted(events));
            }
            return events / seconds;
        });
    }

    private void fill(ConfigurableApplicationContext context) {
        JsonMapper json = context.getBean(JsonMapper.class);
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        Random random = new Random(ANY_SEED);
        for (int left = events; left > 0; left -= APPENDS) {
            int appends = Math.min(left, APPENDS);
            transaction.executeWithoutResult(status -> {
                for (int append = 0; append < appends; append++) {
                    int number = random.nextInt(Orders.COUNT);
                    context.publishEvent(json.readValue(Orders.payload(number), OrderChanged.class));
                }
            });
        }
    }

    private double drain(String topic) throws Exception {
        try (ConfigurableApplicationContext context = open(topic, false)) {
            long start = System.nanoTime();
            context.getBean(IncompleteEventPublications.class).resubmitIncompletePublications(publication -> true);
            Awaitility.await("all events are published and marked")
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(LOOK_EVERY)
                    .atMost(LIMIT)
                    .until(() -> bench.servers().records(topic) >= events && left() == 0);
            return (System.nanoTime() - start) / 1e9;
        }
    }

    private long left() {
        return database.jdbc().sql(LEFT).query(Long.class).single();
    }

    private ConfigurableApplicationContext open(String topic, boolean loses) {
        Map<String, Object> all = new HashMap<>(OursRelay.properties(bench.servers(), database, "modulith"));
        all.putAll(Namastack.PRODUCER);
        all.put(OneLibrary.PROPERTY, OneLibrary.MODULITH);
        all.put("benchmark.topic", topic);
        all.put(ModulithApplication.LOSES, loses);
        all.put("spring.modulith.events.jdbc.schema-initialization.enabled", "true");
        return new SpringApplicationBuilder(ModulithApplication.class)
                .web(WebApplicationType.NONE)
                .properties(all)
                .run();
    }
}
