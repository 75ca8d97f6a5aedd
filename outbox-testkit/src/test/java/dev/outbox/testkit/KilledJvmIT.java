package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class KilledJvmIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern STARTED = Pattern.compile("port=(\\d+) directory=(\\S+) pid=(\\d+)\\.");

    @Test
    void whatAJvmStartedEndsWithItEvenWhenItIsKilled() {
        try (JavaProcess jvm = JavaProcess.of(ServersOfAKilledJvm.class).start()) {
            jvm.awaitOutput("pid=", LIMIT);
            Matcher started = STARTED.matcher(jvm.output());
            assertThat(started.find()).isTrue();
            int port = Integer.parseInt(started.group(1));
            long pid = Long.parseLong(started.group(3));
            assertThat(isRunning(pid)).isTrue();

            jvm.kill();

            await().atMost(LIMIT).until(() -> !isRunning(pid));
            await().atMost(LIMIT).until(() -> !Files.exists(Path.of(started.group(2))));
            await().atMost(LIMIT).until(() -> refuses(port));
        }
    }

    private static boolean isRunning(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private static boolean refuses(int port) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return !socket.isConnected();
        } catch (ConnectException e) {
            return true;
        }
    }
}
