package dev.outbox.chaos;

import dev.outbox.testkit.KafkaCluster;
import dev.outbox.testkit.KafkaProcess;
import dev.outbox.testkit.RestartablePostgres;
import dev.outbox.testkit.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Three instances in processes of their own, and the servers that they use through proxies. */
final class World implements AutoCloseable {

    private static final int INSTANCES = 3;
    private static final int PARTITIONS = 6;
    private static final int WRITER_THREADS = 2;
    private static final Duration WRITER_PAUSE = Duration.ofMillis(40);

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
        makeEmpty(logs);
        instances = IntStream.rangeClosed(1, INSTANCES)
                .mapToObj(number -> new Instance(
                        number, database, kafka.proxiedBootstrapServers(), logs.resolve("instance-" + number + ".log")))
                .toList();
    }

    RestartablePostgres postgres() {
        return postgres;
    }

    List<KafkaProcess> brokers() {
        return kafka.servers();
    }

    List<Instance> instances() {
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

    /** Starts an instance with the properties of all; returns at once. */
    void start(Instance instance) {
        instance.start(writers, properties);
    }

    /** Starts the instances again that have ended by themselves, as whatever runs a service does; tells which. */
    List<Instance> startEnded() {
        List<Instance> ended = instances.stream().filter(Instance::hasEnded).toList();
        ended.forEach(this::start);
        return ended;
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

    /** Ends every session of the instances' database. */
    void terminateSessions() {
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

    private static void makeEmpty(Path directory) {
        try {
            Files.createDirectories(directory);
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                for (Path file : files) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not make an empty directory " + directory, e);
        }
    }

    @Override
    public void close() {
        instances.forEach(Instance::close);
    }
}
