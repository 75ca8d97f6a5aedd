package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaProcessTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(200);

    @Test
    void theMainClassRunsOnTheClassPathOfTheTestWithItsSettings() {
        try (JavaProcess process = JavaProcess.of(Greeter.class)
                .systemProperty("greeting", "Good day")
                .environment("GREETED", "world")
                .arguments("once")
                .start()) {
            assertThat(process.await(LIMIT)).isEqualTo(3);
            assertThat(process.output()).contains("Good day, world");
            assertThat(process.isAlive()).isFalse();
        }
    }

    @Test
    void aKilledProcessIsGone() {
        try (JavaProcess process = ticking()) {
            process.kill();

            assertThat(process.isAlive()).isFalse();
            assertThat(process.await(LIMIT)).isEqualTo(137);
            assertThat(process.output()).doesNotContain("shut down");
        }
    }

    @Test
    void aTerminatedProcessRunsItsShutdownHooks() {
        try (JavaProcess process = ticking()) {
            process.terminate();

            assertThat(process.await(LIMIT)).isEqualTo(143);
            assertThat(process.output()).contains("shut down");
        }
    }

    @Test
    void aPausedProcessStandsStillUntilItIsResumed() {
        try (JavaProcess process = ticking()) {
            process.pause();
            AtomicInteger length = new AtomicInteger();
            await().atMost(LIMIT).during(SHORT).until(() -> {
                int now = process.output().length();
                return length.getAndSet(now) == now;
            });
            assertThat(process.isAlive()).isTrue();
            int paused = process.output().length();

            process.resume();

            await().atMost(LIMIT).until(() -> process.output().length() > paused);
        }
    }

    @Test
    void aPausedProcessCanBeClosed() {
        JavaProcess process = ticking();
        process.pause();

        process.close();

        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void waitingForTheEndOrForOutputIsBounded() {
        try (JavaProcess process = ticking()) {
            assertThatThrownBy(() -> process.await(SHORT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("still runs")
                    .hasMessageContaining("tick");
            assertThatThrownBy(() -> process.awaitOutput("never written", SHORT))
                    .isInstanceOf(ConditionTimeoutException.class)
                    .hasMessageContaining("never written");
        }
    }

    @Test
    void aProcessThatEndsBeforeItWroteTheTextIsReportedAtOnce() {
        try (JavaProcess process =
                JavaProcess.of(Greeter.class).arguments("once").start()) {
            assertThatThrownBy(() -> process.awaitOutput("never written", LIMIT))
                    .hasStackTraceContaining("ended with exit code 3");
        }
    }

    @Test
    void aGivenOutputFileIsKept(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("kept.log");
        try (JavaProcess process =
                JavaProcess.of(Greeter.class).arguments("once").output(file).start()) {
            assertThat(process.await(LIMIT)).isEqualTo(3);
        }

        assertThat(file).content().contains("null, null");
    }

    private static JavaProcess ticking() {
        JavaProcess process = JavaProcess.of(Greeter.class).start();
        process.awaitOutput("tick", LIMIT);
        return process;
    }
}
