package dev.outbox.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** Instances in JVMs of their own on a database of their own, which publish only within a round. */
final class Fleet implements AutoCloseable {

    private static final String PAUSE =
            "INSERT INTO outbox_pause (topic, actor, reason) VALUES ('', 'benchmark', 'between rounds')";
    private static final String RESUME = "DELETE FROM outbox_pause";

    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final Duration COUNT_LIMIT = Duration.ofSeconds(10);
    private static final Duration LOOK_EVERY = Duration.ofMillis(10);

    private final OutboxDatabase database;
    private final List<Instance> instances;
    private final Backlog backlog;

    private Fleet(OutboxDatabase database, List<Instance> instances) {
        this.database = database;
        this.instances = instances;
        this.backlog = new Backlog(database);
    }

    /** Starts instances with these properties over the defaults, and returns once all are ready. */
    static Fleet start(Servers servers, int count, Map<String, String> properties, String heap) {
        OutboxDatabase database = servers.createDatabase();
        Fleet fleet = new Fleet(
                database,
                IntStream.rangeClosed(1, count)
                        .mapToObj(number -> Instance.start(servers, database, "ours" + number, properties, heap))
                        .toList());
        fleet.instances.forEach(Instance::awaitReady);
        database.jdbc().sql(PAUSE).update();
        return fleet;
    }

    Backlog backlog() {
        return backlog;
    }

    /** Makes a round with aggregates drawn at random, and returns the rate. */
    double drain(Bench bench, int events) throws Exception {
        return drain(bench, events, Map.of(), topic -> backlog.fill(events, topic));
    }

    /** Makes a round with such a backlog, and returns the rate; the broker tells when its last record is there. */
    double drain(Bench bench, int events, Map<String, String> topicSettings, Drains.Preparation preparation)
            throws Exception {
        return bench.servers().withTopic(topicSettings, topic -> {
            database.empty();
            preparation.prepare(topic);
            database.settle();
            long start = System.nanoTime();
            database.jdbc().sql(RESUME).update();
            Awaitility.await("all records on the topic")
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(LOOK_EVERY)
                    .atMost(LIMIT)
                    .failFast("an instance has ended", () -> !instances.stream().allMatch(Instance::isAlive))
                    .until(() -> bench.servers().records(topic) >= events);
            double seconds = (System.nanoTime() - start) / 1e9;
            database.requireDrained();
            database.jdbc().sql(PAUSE).update();
            return events / seconds;
        });
    }

    /** How many records each instance has published so far. */
    List<Long> published() {
        return instances.stream().map(Instance::published).toList();
    }

    /** The same once all have told what they published since, which is so much. */
    List<Long> awaitPublished(List<Long> before, int events) {
        long expected = before.stream().mapToLong(Long::longValue).sum() + events;
        return Awaitility.await("what each instance has published")
                .atMost(COUNT_LIMIT)
                .until(
                        this::published,
                        now -> now.stream().mapToLong(Long::longValue).sum() >= expected);
    }

    @Override
    public void close() {
        instances.forEach(Instance::close);
    }
}
