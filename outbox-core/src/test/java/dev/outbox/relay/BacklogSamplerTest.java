package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Backlog;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class BacklogSamplerTest {

    private final AtomicInteger looks = new AtomicInteger();

    @Test
    void knowsNothingBeforeItsFirstLookAndThenWhatTheLastOneFound() {
        BacklogSampler sampler = sampler(Duration.ofMillis(5), () -> new Backlog(looks.get(), 0, 0, Duration.ZERO));
        assertThat(sampler.get()).isEqualTo(Backlog.EMPTY);

        sampler.start();
        await().until(() -> sampler.get().waiting() >= 3);
        sampler.stop();
        assertThat(sampler.isRunning()).isFalse();
    }

    @Test
    void goesOnAfterALookThatFailed() {
        BacklogSampler sampler = sampler(Duration.ofMillis(5), () -> {
            if (looks.get() == 1) {
                throw new IllegalStateException("database down");
            }
            return new Backlog(7, 0, 0, Duration.ZERO);
        });
        sampler.start();

        await().until(() -> sampler.get().waiting() == 7);
        sampler.stop();
    }

    @Test
    void aReaderCostsNoLook() {
        BacklogSampler sampler = sampler(Duration.ofMinutes(5), () -> new Backlog(1, 0, 0, Duration.ZERO));
        sampler.start();
        await().until(() -> sampler.get().waiting() == 1);
        for (int i = 0; i < 1_000; i++) {
            sampler.get();
        }

        assertThat(looks).hasValue(1);
        sampler.stop();
    }

    private BacklogSampler sampler(Duration interval, Supplier<Backlog> backlog) {
        return new BacklogSampler(
                () -> {
                    looks.incrementAndGet();
                    return backlog.get();
                },
                interval);
    }
}
