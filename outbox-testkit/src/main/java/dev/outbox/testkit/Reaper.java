package dev.outbox.testkit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cleans up after this JVM even when it is killed and runs no shutdown hook: a shell that waits for the end of its
 * standard input, which comes when the JVM is gone.
 */
final class Reaper {

    // An interrupt from the terminal reaches the shell too, and must not end it before its work.
    private static final String WAIT = "trap '' INT TERM QUIT; while read -r line; do :; done; ";

    private final @Nullable Process shell;

    private Reaper(@Nullable Process shell) {
        this.shell = shell;
    }

    /**
     * Leaves a command for after the JVM. Without a shell on this system nothing happens.
     *
     * @param command for {@code sh -c}
     * @param arguments {@code $1} and so on
     */
    static Reaper leave(String command, String... arguments) {
        List<String> line = new ArrayList<>(List.of("sh", "-c", WAIT + command, "outbox-testkit-reaper"));
        line.addAll(List.of(arguments));
        try {
            return new Reaper(new ProcessBuilder(line)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            return new Reaper(null);
        }
    }

    /** Takes the command back: what it was for has been done. */
    void dismiss() {
        if (shell != null) {
            shell.destroyForcibly();
        }
    }
}
