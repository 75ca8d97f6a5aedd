package dev.outbox.chaos;

import dev.outbox.testkit.JavaProcess;
import dev.outbox.testkit.TcpProxy;
import dev.outbox.testkit.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One instance of the service in a JVM of its own, with its own way to the database. */
public final class Instance implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final int TERMINATED = 143;

    /** Short limits, so that an outage of seconds is longer than them; the socket's is shorter than some freezes. */
    private static final Map<String, String> PROPERTIES = Map.of(
            "spring.datasource.hikari.maximum-pool-size", "8",
            "spring.datasource.hikari.minimum-idle", "1",
            "spring.datasource.hikari.connection-timeout", "2000",
            "spring.datasource.hikari.validation-timeout", "1000",
            "spring.datasource.hikari.data-source-properties.connectTimeout", "2",
            "spring.datasource.hikari.data-source-properties.socketTimeout", "3",
            "logging.config", "classpath:logback-instance.xml");

    private final Class<?> application;
    private final int number;
    private final TcpProxy database;
    private final List<String> arguments;
    private final Path output;
    private @Nullable JavaProcess process;
    private boolean wanted;
    private boolean orderly;
    private int starts;
    private String ready = "";

    /**
     * @param application its main class
     * @param number from 1
     * @param database where it keeps its tables; it is reached through a proxy
     * @param output its log, over all its starts
     */
    public Instance(Class<?> application, int number, TestDatabase database, String bootstrapServers, Path output) {
        this.application = application;
        this.number = number;
        this.database = TcpProxy.to(database.host(), database.port());
        TestDatabase proxied = database.at(this.database.host(), this.database.port());
        this.arguments = new ArrayList<>(arguments(PROPERTIES));
        this.arguments.addAll(List.of(
                "--spring.datasource.url=" + proxied.jdbcUrl(),
                "--spring.datasource.username=" + proxied.user(),
                "--spring.datasource.password=" + proxied.password(),
                "--spring.kafka.bootstrap-servers=" + bootstrapServers));
        this.output = output;
    }

    public int number() {
        return number;
    }

    /** The proxy between this instance and the database. */
    TcpProxy database() {
        return database;
    }

    /** How often it was started. */
    public int starts() {
        return starts;
    }

    /** Properties as command line arguments. */
    public static List<String> arguments(Map<String, String> properties) {
        return properties.entrySet().stream()
                .map(property -> "--" + property.getKey() + "=" + property.getValue())
                .toList();
    }

    /**
     * Starts the instance and returns at once.
     *
     * @param more arguments, beside the servers that it uses and how it uses them
     * @param whenReady what it prints when it runs, different at every start
     */
    public void start(List<String> more, String whenReady) {
        wanted = true;
        starts++;
        List<String> all = new ArrayList<>(arguments);
        all.addAll(more);
        ready = whenReady;
        process = JavaProcess.of(application)
                .jvmOptions("-Xms32m", "-Xmx128m")
                .arguments(all.toArray(String[]::new))
                .output(output)
                .start();
    }

    public void awaitReady() {
        running().awaitOutput(ready, START_LIMIT);
    }

    /** Whether it should run and does not. */
    public boolean hasEnded() {
        return wanted && !running().isAlive();
    }

    void kill() {
        wanted = false;
        running().close();
    }

    void pause() {
        if (running().isAlive()) {
            running().pause();
        }
    }

    void resume() {
        if (running().isAlive()) {
            running().resume();
        }
    }

    /** Asks it to end in good order. */
    public void terminate() {
        wanted = false;
        if (running().isAlive()) {
            // One that has not started yet may be failing to start just now.
            orderly = running().output().contains(ready);
            running().terminate();
        } else {
            orderly = false;
        }
    }

    /**
     * Waits for the end that was asked for.
     *
     * @throws IllegalStateException if it does not come within 30 seconds
     * @throws AssertionError if it does not come in good order
     */
    public void awaitEnd() {
        int exit = running().await(STOP_LIMIT);
        running().close();
        if (orderly && exit != TERMINATED) {
            throw new AssertionError(
                    "Instance %d ended with exit code %d after SIGTERM; see %s".formatted(number, exit, output));
        }
    }

    private JavaProcess running() {
        if (process == null) {
            throw new IllegalStateException("Instance %d was never started".formatted(number));
        }
        return process;
    }

    @Override
    public void close() {
        wanted = false;
        if (process != null) {
            process.close();
        }
        database.close();
    }
}
