package dev.outbox.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * A main class that runs in a JVM of its own, with the class path of this one, and can be killed or frozen.
 *
 * <p>Its output goes to a file. It is killed when it is closed or when this JVM ends. Signals need a Unix system.
 */
public final class JavaProcess implements AutoCloseable {

    private static final Duration KILL_LIMIT = Duration.ofSeconds(30);

    private final Process process;
    private final Path output;
    private final WorkDirectory directory;
    private final Reaper reaper;
    private final ShutdownHook hook = ShutdownHook.of(this::close);

    JavaProcess(Process process, Path output, WorkDirectory directory) {
        this.process = process;
        this.output = output;
        this.directory = directory;
        this.reaper = Reaper.leave(
                "kill -KILL \"$1\"; rm -rf \"$2\"",
                Long.toString(process.pid()),
                directory.path().toString());
    }

    /** Begins the description of a process that runs {@code mainClass}. */
    public static JavaProcessBuilder of(String mainClass) {
        return new JavaProcessBuilder(mainClass);
    }

    /** Begins the description of a process that runs {@code mainClass}. */
    public static JavaProcessBuilder of(Class<?> mainClass) {
        return of(mainClass.getName());
    }

    /** Returns the identifier that the operating system gave the process. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether the process has not ended; a frozen one has not. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends the process at once (SIGKILL), frozen or not, and returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        await(KILL_LIMIT);
    }

    /** Asks the process to end in good order (SIGTERM) and returns without waiting. */
    public void terminate() {
        Signal.TERM.send(pid());
    }

    /** Freezes the process (SIGSTOP): it does nothing, its connections stay open. */
    public void pause() {
        Signal.STOP.send(pid());
    }

    /** Lets a frozen process go on (SIGCONT). */
    public void resume() {
        Signal.CONT.send(pid());
    }

    /**
     * Waits until the process has ended, and returns its exit code (137 after a kill, 143 after SIGTERM).
     *
     * @throws IllegalStateException if it still runs after the limit
     */
    public int await(Duration limit) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("Process %d still runs after %s; its output ends with: %s"
                        .formatted(pid(), limit, LogTail.of(output)));
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for process " + pid(), e);
        }
    }

    /**
     * Waits until the output contains a text.
     *
     * @throws IllegalStateException if the process ends before
     * @throws org.awaitility.core.ConditionTimeoutException if the text is not there within the limit
     */
    public void awaitOutput(String text, Duration limit) {
        Awaitility.await("'%s' in the output of process %d".formatted(text, pid()))
                .atMost(limit)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    boolean ended = !isAlive();
                    boolean written = output().contains(text);
                    if (ended && !written) {
                        throw new IllegalStateException("Process %d ended with exit code %d before it wrote '%s': %s"
                                .formatted(pid(), process.exitValue(), text, LogTail.of(output)));
                    }
                    return written;
                });
    }

    /** Returns what the process has written so far, standard output and standard error together. */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read the output of process " + pid(), e);
        }
    }

    /** Kills the process if it still runs, and removes its output unless the file was given. */
    @Override
    public void close() {
        hook.cancel();
        kill();
        directory.close();
        reaper.dismiss();
    }
}
