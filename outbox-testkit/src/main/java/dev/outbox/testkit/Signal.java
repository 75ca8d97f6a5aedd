package dev.outbox.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A signal of the operating system to a process. Needs the {@code kill} command, so not for Windows. */
enum Signal {

    /** Asks to end in good order. */
    TERM,

    /** Ends at once; the process cannot resist. */
    KILL,

    /** To a PostgreSQL server: an immediate shutdown, with recovery at the next start. */
    QUIT,

    /** Freezes the process; its connections stay open. */
    STOP,

    /** Lets a frozen process go on. */
    CONT;

    /** Sends this signal to a process and then to all that it has started; those that have just ended are no matter. */
    void sendToTree(long pid) {
        send(pid);
        ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants).forEach(child -> {
            try {
                send(child.pid());
            } catch (IllegalStateException e) {
                if (child.isAlive()) {
                    throw e;
                }
            }
        });
    }

    /** Sends this signal. */
    void send(long pid) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name(), Long.toString(pid))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("Could not send %s to process %d: %s".formatted(this, pid, output));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not run the kill command", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while sending " + this + " to process " + pid, e);
        }
    }
}
