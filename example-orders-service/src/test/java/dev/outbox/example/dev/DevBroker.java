package dev.outbox.example.dev;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * A Kafka broker in a process of its own, so that it can be killed and started again, on the same port and with the
 * same records, while the service goes on.
 */
final class DevBroker implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final BrokerDirectory directory;
    private volatile Optional<Process> process = Optional.empty();

    private DevBroker(BrokerDirectory directory) {
        this.directory = directory;
    }

    /** Creates a broker without topics and starts it. */
    static DevBroker create() throws IOException {
        DevBroker broker = new DevBroker(BrokerDirectory.create());
        broker.start();
        return broker;
    }

    /**
     * Starts the broker unless it runs, and returns once it answers.
     *
     * @throws IllegalStateException if it ends or does not answer within 60 seconds
     */
    synchronized void start() throws IOException {
        if (pid().isPresent()) {
            return;
        }
        Process started = process().start();
        process = Optional.of(started);
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers()))) {
            CompletableFuture<?> answer =
                    admin.describeCluster().nodes().toCompletionStage().toCompletableFuture();
            CompletableFuture.anyOf(answer, started.onExit())
                    .orTimeout(START_LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            throw new IllegalStateException("The broker does not answer; see " + log(), e);
        }
        if (!started.isAlive()) {
            throw new IllegalStateException("The broker ended at once; see " + log());
        }
    }

    private ProcessBuilder process() {
        ProcessBuilder builder = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dlogback.configurationFile=broker-logback.xml",
                        "kafka.Kafka",
                        directory.settings().toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        return builder;
    }

    /** Kills the process, as {@code kill -9} would, and returns once it is gone. */
    synchronized void kill() {
        process.ifPresent(running -> running.destroyForcibly().onExit().join());
        process = Optional.empty();
    }

    /** Returns the id of the running process; empty when it was killed, by whomever. */
    Optional<Long> pid() {
        return process.filter(Process::isAlive).map(Process::pid);
    }

    String bootstrapServers() {
        return directory.bootstrapServers();
    }

    Path log() {
        return directory.log();
    }

    @Override
    public void close() throws IOException {
        kill();
        directory.delete();
    }
}
