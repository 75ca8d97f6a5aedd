package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WaiterTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    private final Waiter waiter = new Waiter();

    @Test
    void endsWhenTheTimeIsOver() throws InterruptedException {
        long start = System.nanoTime();

        assertThat(waiter.await(Duration.ofMillis(50))).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
    }

    @Test
    void isEndedByAWakeUp() throws Exception {
        CompletableFuture<Boolean> woken = new CompletableFuture<>();
        Thread thread = start(woken);
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        waiter.wake();

        assertThat(woken.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void remembersOneWakeUpWhileNobodyWaits() throws InterruptedException {
        waiter.wake();
        waiter.wake();

        assertThat(waiter.await(LONG)).isTrue();
        assertThat(waiter.await(Duration.ofMillis(10))).isFalse();
    }

    @Test
    void isEndedByAnInterruption() throws Exception {
        CompletableFuture<Boolean> woken = new CompletableFuture<>();
        Thread thread = start(woken);
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        thread.interrupt();
        thread.join();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(woken::get)
                .withCauseInstanceOf(InterruptedException.class);
    }

    private Thread start(CompletableFuture<Boolean> woken) {
        Thread thread = new Thread(() -> {
            try {
                woken.complete(waiter.await(LONG));
            } catch (InterruptedException e) {
                woken.completeExceptionally(e);
            }
        });
        thread.start();
        return thread;
    }
}
