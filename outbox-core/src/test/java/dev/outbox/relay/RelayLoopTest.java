package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Delivery;
import dev.outbox.OutboxListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RelayLoopTest {

    private static final RelaySettings.Polling SELDOM =
            new RelaySettings.Polling(Duration.ofMinutes(5), Duration.ofMinutes(5));

    private final List<Long> passes = new CopyOnWriteArrayList<>();
    private final List<Throwable> told = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    @AfterEach
    void stop() throws InterruptedException {
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join();
        }
    }

    @Test
    void anErrorInAPassDoesNotEndIt() {
        start(SELDOM, () -> {
            if (passes.size() == 1) {
                throw new StackOverflowError("once");
            }
            throw new IllegalStateException("again");
        });

        await().atMost(Duration.ofSeconds(20)).until(() -> passes.size() >= 3);
        assertThat(told.get(0)).isInstanceOf(StackOverflowError.class);
        assertThat(told.get(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void waitsLongerFromFailureToFailure() {
        start(SELDOM, () -> {
            throw new IllegalStateException("database down");
        });

        await().atMost(Duration.ofSeconds(30)).until(() -> passes.size() >= 4);
        assertThat(pause(0)).isBetween(Duration.ofMillis(250), Duration.ofSeconds(2));
        assertThat(pause(2)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aWakeUpDoesNotShortenThePauseAfterAFailure() {
        RelayLoop loop = start(SELDOM, () -> {
            throw new IllegalStateException("database down");
        });
        await().until(() -> told.size() == 1);
        await().pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(20))
                .until(() -> {
                    loop.wake();
                    return passes.size() == 2;
                });

        assertThat(pause(0)).isGreaterThanOrEqualTo(Duration.ofMillis(250));
    }

    @Test
    void aWakeUpEndsTheWaitBetweenPasses() {
        RelayLoop loop = start(SELDOM, List::of);
        await().until(() -> passes.size() == 1);
        loop.wake();

        await().until(() -> passes.size() == 2);
    }

    @Test
    void looksMoreSeldomWhileThereIsNothingToDo() {
        start(new RelaySettings.Polling(Duration.ofMillis(10), Duration.ofMillis(80)), List::of);

        await().until(() -> passes.size() >= 6);
        assertThat(pause(0)).isGreaterThanOrEqualTo(Duration.ofMillis(10));
        assertThat(pause(3)).isGreaterThanOrEqualTo(Duration.ofMillis(80));
        assertThat(pause(4)).isBetween(Duration.ofMillis(80), Duration.ofSeconds(2));
    }

    @Test
    void aStopEndsTheWaitAndTheLoop() throws InterruptedException {
        RelayLoop loop = start(SELDOM, List::of);
        await().until(() -> passes.size() == 1);
        loop.stop();

        threads.get(0).join(10_000);
        assertThat(threads.get(0).isAlive()).isFalse();
    }

    @Test
    void aStopEndsThePauseAfterAFailure() throws InterruptedException {
        RelayLoop loop = start(SELDOM, () -> {
            throw new IllegalStateException("database down");
        });
        await().atMost(Duration.ofSeconds(30)).until(() -> told.size() == 3);
        loop.stop();

        threads.get(0).join(900);
        assertThat(threads.get(0).isAlive()).isFalse();
        assertThat(passes).hasSize(3);
    }

    @Test
    void anInterruptionEndsTheLoopAndIsKept() throws InterruptedException {
        start(SELDOM, List::of);
        await().until(() -> passes.size() == 1);
        threads.get(0).interrupt();

        threads.get(0).join(10_000);
        assertThat(threads.get(0).isAlive()).isFalse();
        assertThat(told).isEmpty();
    }

    private Duration pause(int before) {
        return Duration.ofNanos(passes.get(before + 1) - passes.get(before));
    }

    /** Starts a loop that does this on every pass. */
    private RelayLoop start(RelaySettings.Polling polling, Supplier<List<Delivery>> pass) {
        HandMadeStore store = new HandMadeStore(() -> {
            passes.add(System.nanoTime());
            return pass.get();
        });
        OutboxListener listener = new OutboxListener() {
            @Override
            public void cycleFailed(Throwable failure) {
                told.add(failure);
            }
        };
        Marker marker = new Marker(Thread::new, new OutcomeReport(listener));
        RelayCycle cycle =
                new RelayCycle(store, new HandMadePublisher(), null, RelaySettings.defaults(), marker, () -> false);
        RelayLoop loop = new RelayLoop(cycle, polling, listener);
        Thread thread = new Thread(loop);
        threads.add(thread);
        thread.start();
        return loop;
    }
}
