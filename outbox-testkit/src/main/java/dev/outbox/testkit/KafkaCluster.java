package dev.outbox.testkit;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;

/**
 * Three Kafka servers, each in a process of its own. Topics have three replicas, two of which must be in sync for
 * {@code acks=all}; one server may be lost.
 */
public final class KafkaCluster implements KafkaBroker, AutoCloseable {

    private static final int SIZE = 3;
    private static final Map<String, String> SETTINGS = Map.of(
            "min.insync.replicas", "2",
            "transaction.state.log.min.isr", "2",
            "default.replication.factor", "3");

    private final List<KafkaProcess> servers;

    private KafkaCluster(List<KafkaProcess> servers) {
        this.servers = servers;
    }

    /** Starts a cluster and returns once every server belongs to it. */
    public static KafkaCluster start() {
        return start(Map.of());
    }

    /**
     * Starts a cluster and returns once every server belongs to it.
     *
     * @param settings names and values as in {@code server.properties}, over those of the test kit
     */
    public static KafkaCluster start(Map<String, String> settings) {
        List<KafkaNode> nodes =
                IntStream.rangeClosed(1, SIZE).mapToObj(KafkaNode::next).toList();
        String clusterId = Uuid.randomUuid().toString();
        Map<String, String> all = new TreeMap<>(SETTINGS);
        all.putAll(settings);
        KafkaCluster cluster = new KafkaCluster(nodes.stream()
                .map(node -> KafkaProcess.prepare(node, nodes, clusterId, all))
                .toList());
        try {
            cluster.servers.forEach(KafkaProcess::launch);
            cluster.servers.forEach(KafkaProcess::awaitReady);
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Returns the servers in the order of their ids. */
    public List<KafkaProcess> servers() {
        return servers;
    }

    /** Returns the server that leads a partition now. */
    public KafkaProcess leaderOf(String topic, int partition) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", (Object) bootstrapServers()))) {
            var description = admin.describeTopics(List.of(topic))
                    .topicNameValues()
                    .values()
                    .iterator()
                    .next();
            var leader = description.get().partitions().get(partition).leader();
            return servers.stream()
                    .filter(server -> leader != null && server.id() == leader.id())
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            "Partition %d of topic %s has no leader now".formatted(partition, topic)));
        } catch (ExecutionException e) {
            throw new IllegalStateException("Could not describe topic " + topic, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while describing topic " + topic, e);
        }
    }

    @Override
    public String bootstrapServers() {
        return servers.stream().map(KafkaProcess::bootstrapServers).collect(Collectors.joining(","));
    }

    /** Returns the addresses of the proxies in front of the servers. */
    public String proxiedBootstrapServers() {
        return servers.stream().map(KafkaProcess::proxiedBootstrapServers).collect(Collectors.joining(","));
    }

    @Override
    public short replicas() {
        return SIZE;
    }

    /** Kills the servers and removes their data. */
    @Override
    public void close() {
        servers.forEach(KafkaProcess::close);
    }
}
