package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Backlog;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BacklogSamplerTest {

    private final AtomicInteger looks = new AtomicInteger();
    private @Nullable BacklogSampler sampler;

    @AfterEach
    void stop() {
        if (sampler != null) {
            sampler.stop();
        }
    }

    @Test
    void knowsNothingBeforeItsFirstLookAndThenWhatTheLastOneFound() {
        BacklogSampler sampler = sampler(Duration.ofMillis(50), () -> new Backlog(looks.get(), 0, 0, Duration.ZERO));
        assertThat(sampler.get().backlog()).isNull();

        sampler.start();
        await().until(() -> waiting(sampler) >= 3);
        sampler.stop();
        assertThat(sampler.isRunning()).isFalse();
    }

    @Test
    void goesOnAfterALookThatFailed() {
        BacklogSampler sampler = sampler(Duration.ofMillis(50), () -> {
            if (looks.get() == 1) {
                throw new IllegalStateException("database down");
            }
            if (looks.get() == 2) {
                throw new StackOverflowError("once");
            }
            return new Backlog(7, 0, 0, Duration.ZERO);
        });
        sampler.start();

        await().until(() -> waiting(sampler) == 7);
    }

    @Test
    void nobodyIsToldAnOldNumber() {
        AtomicBoolean down = new AtomicBoolean();
        BacklogSampler sampler = sampler(Duration.ofMillis(100), () -> {
            if (down.get()) {
                throw new IllegalStateException("database down");
            }
            return new Backlog(7, 0, 0, Duration.ZERO);
        });
        sampler.start();
        await().until(() -> waiting(sampler) == 7);

        down.set(true);
        await().until(() -> sampler.get().backlog() == null);
        assertThat(sampler.get().age()).isGreaterThanOrEqualTo(Duration.ofMillis(600));
        down.set(false);
        await().until(() -> waiting(sampler) == 7);
        assertThat(sampler.get().age()).isLessThan(Duration.ofMillis(600));
    }

    @Test
    void aReaderCostsNoLook() {
        BacklogSampler sampler = sampler(Duration.ofMinutes(5), () -> new Backlog(1, 0, 0, Duration.ZERO));
        sampler.start();
        await().until(() -> waiting(sampler) == 1);
        for (int i = 0; i < 1_000; i++) {
            sampler.get();
        }

        assertThat(looks).hasValue(1);
    }

    private static long waiting(BacklogSampler sampler) {
        Backlog backlog = sampler.get().backlog();
        return backlog == null ? -1 : backlog.waiting();
    }

    private BacklogSampler sampler(Duration interval, Supplier<Backlog> backlog) {
        BacklogSampler made = new BacklogSampler(
                () -> {
                    looks.incrementAndGet();
                    return backlog.get();
                },
                interval);
        sampler = made;
        return made;
    }
}
