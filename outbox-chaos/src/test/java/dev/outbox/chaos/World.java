package dev.outbox.chaos;

import dev.outbox.testkit.KafkaCluster;
import dev.outbox.testkit.KafkaProcess;
import dev.outbox.testkit.RestartablePostgres;
import dev.outbox.testkit.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Three instances in processes of their own, and the servers that they use through proxies. */
final class World implements Breakable, AutoCloseable {

    private static final int INSTANCES = 3;
    private static final int PARTITIONS = 6;
    private static final int WRITER_THREADS = 2;
    private static final Duration WRITER_PAUSE = Duration.ofMillis(40);

    private static final Map<String, String> PROPERTIES = Map.of(
            "outbox.inbox.enabled", "false",
            "outbox.kafka.delivery-timeout", "4s",
            "outbox.kafka.request-timeout", "1500ms",
            "outbox.kafka.max-block", "1s",
            "outbox.relay.polling.max-interval", "200ms",
            "outbox.relay.retry.unavailable-delay", "1s",
            "outbox.relay.shutdown-timeout", "10s");

    private final RestartablePostgres postgres;
    private final KafkaCluster kafka;
    private final TestDatabase database;
    private final Ledger ledger;
    private final Deliveries deliveries;
    private final List<Instance> instances;
    private final WriterSettings writers;
    private Map<String, String> properties = Map.of();
    private boolean running;

    /**
     * @param seed of what the writers do
     * @param logs where the instances' logs go
     */
    World(Servers servers, long seed, Path logs) {
        postgres = servers.postgres();
        kafka = servers.kafka();
        database = postgres.createDatabase();
        JdbcClient jdbc = JdbcClient.create(database.dataSource());
        ledger = new Ledger(jdbc);
        ledger.create(WriterSettings.AGGREGATES);
        deliveries = new Deliveries(jdbc);
        String topic = kafka.createTopic("chaos", PARTITIONS, TopicLog.TOPIC_SETTINGS);
        writers = new WriterSettings(topic, seed, WRITER_THREADS, 0, WRITER_PAUSE, WriterSettings.AGGREGATES);
        Diary.makeEmpty(logs);
        instances = IntStream.rangeClosed(1, INSTANCES)
                .mapToObj(number -> new Instance(
                        ChaosApplication.class,
                        number,
                        database,
                        kafka.proxiedBootstrapServers(),
                        logs.resolve("instance-" + number + ".log")))
                .toList();
    }

    @Override
    public RestartablePostgres postgres() {
        return postgres;
    }

    @Override
    public List<KafkaProcess> brokers() {
        return kafka.servers();
    }

    @Override
    public List<Instance> instances() {
        return instances;
    }

    Ledger ledger() {
        return ledger;
    }

    Deliveries deliveries() {
        return deliveries;
    }

    /** Returns when every instance runs with these properties; those that run with others are stopped in good order. */
    void run(Map<String, String> wanted) {
        if (running && properties.equals(wanted)) {
            return;
        }
        stopAll();
        properties = wanted;
        running = true;
        instances.forEach(this::start);
        instances.forEach(Instance::awaitReady);
    }

    @Override
    public void start(Instance instance) {
        long seed = writers.seed() * 10_000 + instance.number() * 1_000L + instance.starts() + 1;
        List<String> arguments = new ArrayList<>(Instance.arguments(PROPERTIES));
        arguments.addAll(Instance.arguments(properties));
        arguments.addAll(writers.withSeed(seed).arguments());
        instance.start(arguments, ChaosApplication.ready(seed));
    }

    /** Stops every instance in good order. */
    void stopAll() {
        if (!running) {
            return;
        }
        running = false;
        instances.forEach(Instance::terminate);
        instances.forEach(Instance::awaitEnd);
    }

    @Override
    public void terminateSessions() {
        postgres.terminateBackends(database.name());
    }

    /** Compares the ledger with the whole topic and with the outbox's tables. */
    Findings check() {
        return Findings.of(
                ledger.committed(),
                TopicLog.read(kafka, writers.topic()),
                deliveries.publishedAt(),
                deliveries.blamed());
    }

    @Override
    public void close() {
        instances.forEach(Instance::close);
    }
}
