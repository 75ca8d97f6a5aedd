package dev.outbox.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.Uuid;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka server (broker and controller in one) in a process of its own, which a test may kill, freeze and restart.
 *
 * <p>Clients reach it directly by {@link #bootstrapServers()}, or through {@link #proxy()} by
 * {@link #proxiedBootstrapServers()}. It keeps its ports and its data until it is closed, at the latest with the JVM.
 */
public final class KafkaProcess implements KafkaBroker, AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final int ANSWER_LIMIT_MILLIS = 2_000;
    private static final String[] SMALL = {"-Xms128m", "-Xmx384m"};

    private final KafkaNode node;
    private final short replicas;
    private final WorkDirectory directory = WorkDirectory.create("kafka");
    private final TcpProxy proxy;
    private final Path configuration;
    private final String[] jvmOptions;
    private final Reaper reaper =
            Reaper.leave("sleep 1; rm -rf \"$1\"", directory.path().toString());
    private final ShutdownHook hook = ShutdownHook.of(this::close);
    private @Nullable JavaProcess process;

    private KafkaProcess(
            KafkaNode node,
            List<KafkaNode> nodes,
            String clusterId,
            Map<String, String> overrides,
            String... jvmOptions) {
        this.node = node;
        this.jvmOptions = jvmOptions;
        this.replicas = (short) nodes.size();
        this.proxy = TcpProxy.to("127.0.0.1", node.proxiedPort());
        Map<String, String> settings = new TreeMap<>(KafkaStorage.settings(node, nodes, proxy));
        settings.putAll(overrides);
        this.configuration = KafkaStorage.prepare(directory.path(), clusterId, settings);
    }

    /** Starts a single server and returns once it answers. */
    public static KafkaProcess start() {
        return start(Map.of());
    }

    /**
     * Starts a single server and returns once it answers.
     *
     * @param settings names and values as in {@code server.properties}, over those of the test kit
     */
    public static KafkaProcess start(Map<String, String> settings) {
        return start(settings, SMALL);
    }

    /**
     * Starts a single server and returns once it answers.
     *
     * @param settings names and values as in {@code server.properties}, over those of the test kit
     * @param jvmOptions over those of {@link JavaProcessBuilder}, which let a JVM start quickly and never run fast
     */
    public static KafkaProcess start(Map<String, String> settings, String... jvmOptions) {
        KafkaNode node = KafkaNode.next(1);
        KafkaProcess server =
                new KafkaProcess(node, List.of(node), Uuid.randomUuid().toString(), settings, jvmOptions);
        try {
            server.restart();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    static KafkaProcess prepare(KafkaNode node, List<KafkaNode> nodes, String clusterId, Map<String, String> settings) {
        return new KafkaProcess(node, nodes, clusterId, settings, SMALL);
    }

    /** Returns the node id, which is 1 for a single server. */
    public int id() {
        return node.id();
    }

    @Override
    public String bootstrapServers() {
        return node.bootstrapServer();
    }

    @Override
    public short replicas() {
        return replicas;
    }

    /** Returns the proxy in front of this server; whoever connects directly does not feel it. */
    public TcpProxy proxy() {
        return proxy;
    }

    /** Returns the address of the proxy; clients that start there never learn the direct address. */
    public String proxiedBootstrapServers() {
        return proxy.address();
    }

    /** Kills the server (SIGKILL); nothing is flushed or handed over. */
    public synchronized void kill() {
        if (process != null) {
            process.close();
            process = null;
        }
    }

    /** Freezes the server (SIGSTOP): connections stay open, nothing is answered. */
    public void pause() {
        running().pause();
    }

    /** Lets a frozen server go on (SIGCONT). */
    public void resume() {
        running().resume();
    }

    /**
     * Kills the server if it runs, starts it on the same ports and data, and returns once it answers.
     *
     * @throws IllegalStateException if it ends instead
     * @throws org.awaitility.core.ConditionTimeoutException if it does not answer within 60 seconds
     */
    public void restart() {
        launch();
        awaitReady();
    }

    /** Starts the process and returns at once. */
    synchronized void launch() {
        kill();
        process = JavaProcess.of("kafka.Kafka")
                .jvmOptions(jvmOptions)
                .systemProperty("logback.configurationFile", "dev/outbox/testkit/logback-kafka-process.xml")
                .arguments(configuration.toString())
                .start();
    }

    /** Waits until the cluster counts this server among its brokers. */
    void awaitReady() {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", bootstrapServers(), "reconnect.backoff.max.ms", "200");
        try (Admin admin = Admin.create(settings)) {
            Awaitility.await("Kafka server %d at %s".formatted(id(), bootstrapServers()))
                    .atMost(START_LIMIT)
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> isRegistered(admin));
        }
    }

    private boolean isRegistered(Admin admin) throws InterruptedException {
        if (!running().isAlive()) {
            throw new IllegalStateException(
                    "Kafka ended while starting: " + running().output());
        }
        try {
            var cluster = admin.describeCluster(new DescribeClusterOptions().timeoutMs(ANSWER_LIMIT_MILLIS));
            return cluster.nodes().get().stream().anyMatch(broker -> broker.id() == id());
        } catch (ExecutionException e) {
            return false;
        }
    }

    private synchronized JavaProcess running() {
        if (process == null) {
            throw new IllegalStateException("Kafka server %d is down; restart() it first".formatted(id()));
        }
        return process;
    }

    /** Kills the server and removes its data. */
    @Override
    public void close() {
        hook.cancel();
        kill();
        proxy.close();
        directory.close();
        reaper.dismiss();
    }
}
