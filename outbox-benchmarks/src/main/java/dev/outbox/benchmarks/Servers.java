package dev.outbox.benchmarks;

import dev.outbox.testkit.KafkaBroker;
import dev.outbox.testkit.KafkaProcess;
import dev.outbox.testkit.PostgresOptions;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.RestartablePostgres;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;

/** A PostgreSQL server that survives what it is meant to survive, and a broker, as processes of their own. */
final class Servers implements AutoCloseable {

    static final int PARTITIONS = 6;

    /* No checkpoint shall begin within a round; the log tells the idle scenario which statements were run. */
    private static final PostgresOptions OPTIONS = PostgresOptions.durable()
            .with("shared_buffers", "512MB")
            .with("max_wal_size", "4GB")
            .with("checkpoint_timeout", "30min")
            .with("logging_collector", "on")
            .with("log_line_prefix", "%a:");

    private final RestartablePostgres postgres;
    private final KafkaProcess kafka;
    private final Admin admin;

    private Servers(RestartablePostgres postgres, KafkaProcess kafka) {
        this.postgres = postgres;
        this.kafka = kafka;
        this.admin = Admin.create(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) kafka.bootstrapServers()));
    }

    static Servers start() {
        RestartablePostgres postgres = PostgresServer.start(OPTIONS);
        try {
            return new Servers(
                    postgres, KafkaProcess.start(Map.of(), "-Xms512m", "-Xmx512m", "-XX:TieredStopAtLevel=4"));
        } catch (RuntimeException e) {
            postgres.close();
            throw e;
        }
    }

    /** Returns a new database, which has no tables yet. */
    OutboxDatabase createDatabase() {
        return new OutboxDatabase(postgres.createDatabase());
    }

    String bootstrapServers() {
        return kafka.bootstrapServers();
    }

    KafkaBroker broker() {
        return kafka;
    }

    /** Makes a topic, has it used, and removes it with its data. */
    <T> T withTopic(Map<String, String> settings, TopicUse<T> use) throws Exception {
        String topic = kafka.createTopic("benchmark", PARTITIONS, settings);
        try {
            return use.with(topic);
        } finally {
            admin.deleteTopics(List.of(topic)).all().get();
        }
    }

    /** How many records a topic has, those that end transactions included. */
    long records(String topic) throws InterruptedException {
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest()));
        try {
            return admin.listOffsets(ends).all().get().values().stream()
                    .mapToLong(ListOffsetsResultInfo::offset)
                    .sum();
        } catch (ExecutionException e) {
            throw new IllegalStateException("The end of topic %s is not known".formatted(topic), e.getCause());
        }
    }

    @Override
    public void close() {
        admin.close();
        kafka.close();
        postgres.close();
    }

    /** What is done with a topic. */
    @FunctionalInterface
    interface TopicUse<T> {

        T with(String topic) throws Exception;
    }
}
