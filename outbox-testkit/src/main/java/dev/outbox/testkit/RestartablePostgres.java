package dev.outbox.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * An embedded PostgreSQL server of its own that can be stopped and started again on the same port and data.
 *
 * <p>Closed with the JVM at the latest; its data directory is removed then.
 */
public final class RestartablePostgres implements PostgresServer, AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    // A paused server hears of the shutdown only when it goes on.
    private static final String REAP =
            "p=$(head -n 1 \"$1/data/postmaster.pid\"); kill -QUIT $p; kill -CONT $p; sleep 1; rm -rf \"$1\"";
    private static final String USER = "postgres";

    private final PostgresOptions options;
    private final WorkDirectory directory = WorkDirectory.create("postgres");
    private final ShutdownHook hook = ShutdownHook.of(this::close);
    private final Reaper reaper = Reaper.leave(REAP, directory.path().toString());
    private final int port = FreePorts.next();
    private @Nullable EmbeddedPostgres running;
    private boolean paused;

    private RestartablePostgres(PostgresOptions options) {
        this.options = options;
    }

    static RestartablePostgres initialise(PostgresOptions options) {
        RestartablePostgres server = new RestartablePostgres(options);
        try {
            server.start();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /**
     * Starts the stopped server again and returns once it answers; recovers from its log if need be. Nothing happens
     * when it runs already.
     *
     * @throws IllegalStateException if it does not answer within 60 seconds
     */
    public synchronized void start() {
        if (running != null) {
            return;
        }
        var builder = EmbeddedPostgres.builder()
                .setPort(port)
                .setDataDirectory(directory.resolve("data"))
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(START_LIMIT)
                .setOutputRedirector(ProcessBuilder.Redirect.appendTo(log().toFile()));
        options.settings().forEach(builder::setServerConfig);
        try {
            running = builder.start();
        } catch (IOException | RuntimeException e) {
            throw new IllegalStateException("PostgreSQL did not start; its log ends with: " + LogTail.of(log()), e);
        }
    }

    /**
     * Stops the server as a crash would: every connection breaks at once, nothing is flushed. Nothing happens when it
     * is stopped already.
     */
    public synchronized void stopImmediate() {
        EmbeddedPostgres server = running;
        if (server == null) {
            return;
        }
        resume();
        Path pidFile = pidFile();
        Signal.QUIT.send(postmaster(pidFile));
        Awaitility.await("immediate shutdown of PostgreSQL").atMost(STOP_LIMIT).until(() -> !Files.exists(pidFile));
        release(server);
    }

    /**
     * Freezes the server with every session (SIGSTOP): connections stay open, new ones are not answered.
     *
     * @throws IllegalStateException if it is stopped
     */
    public synchronized void pause() {
        if (running == null) {
            throw new IllegalStateException("PostgreSQL at port %d is stopped; start() it first".formatted(port));
        }
        paused = true;
        Signal.STOP.sendToTree(postmaster(pidFile()));
    }

    /** Lets a frozen server go on (SIGCONT). Nothing happens when it is not frozen. */
    public synchronized void resume() {
        if (paused) {
            paused = false;
            Signal.CONT.sendToTree(postmaster(pidFile()));
        }
    }

    /** Returns the TCP port, which is the same after every start. */
    public int port() {
        return port;
    }

    @Override
    public TestDatabase createDatabase() {
        return administration().createSibling();
    }

    @Override
    public int terminateBackends(String database) {
        return administration().terminateBackends(database);
    }

    /** Stops the server in good order and removes its data. */
    @Override
    public synchronized void close() {
        hook.cancel();
        if (running != null) {
            release(running);
        }
        directory.close();
        reaper.dismiss();
    }

    private void release(EmbeddedPostgres server) {
        resume();
        running = null;
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not stop PostgreSQL", e);
        }
    }

    Path directory() {
        return directory.path();
    }

    private TestDatabase administration() {
        return new TestDatabase("localhost", port, "postgres", USER, "");
    }

    private Path log() {
        return directory.resolve("postgres.log");
    }

    private Path pidFile() {
        return directory.resolve("data").resolve("postmaster.pid");
    }

    private static long postmaster(Path pidFile) {
        try {
            return Long.parseLong(Files.readAllLines(pidFile).get(0).strip());
        } catch (IOException e) {
            throw new UncheckedIOException("No running PostgreSQL is recorded in " + pidFile, e);
        }
    }
}
