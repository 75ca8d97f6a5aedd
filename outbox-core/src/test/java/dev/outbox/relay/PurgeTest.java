package dev.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.OutboxListener;
import dev.outbox.PurgeStore;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PurgeTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration SELDOM = Duration.ofHours(1);
    private static final PurgeStore.Step NOTHING = new PurgeStore.Step(0, true);

    private final List<Long> steps = new CopyOnWriteArrayList<>();
    private final List<Integer> told = new CopyOnWriteArrayList<>();
    private Purge purge = purge(SELDOM, () -> NOTHING);

    @AfterEach
    void stop() {
        purge.stop();
    }

    @Test
    void aRoundGoesOnToItsLastStepAndTheNextOneComesAfterThePeriod() {
        Iterator<PurgeStore.Step> round = List.of(
                        new PurgeStore.Step(10, false), new PurgeStore.Step(0, false), new PurgeStore.Step(3, true))
                .iterator();
        purge = purge(Duration.ofMillis(300), () -> round.hasNext() ? round.next() : NOTHING);
        purge.start();

        await().atMost(LIMIT).until(() -> steps.size() >= 4);
        assertThat(told).containsExactly(10, 3);
        assertThat(pause(1)).isLessThan(Duration.ofMillis(300));
        assertThat(pause(2)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }

    @Test
    void goesOnAfterFailuresWithLongerAndLongerPauses() {
        purge = purge(Duration.ofMillis(1), () -> {
            if (steps.size() == 1) {
                throw new StackOverflowError("once");
            }
            throw new IllegalStateException("database down");
        });
        purge.start();

        await().atMost(LIMIT).until(() -> steps.size() >= 3);
        assertThat(pause(0)).isGreaterThanOrEqualTo(Duration.ofMillis(500));
        assertThat(pause(1)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aStopEndsTheWaitAtOnceAndItCanStartAgain() {
        purge.start();
        await().atMost(LIMIT).until(() -> steps.size() == 1);
        assertThat(purge.isRunning()).isTrue();

        long begin = System.nanoTime();
        purge.stop();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2));
        assertThat(purge.isRunning()).isFalse();

        purge.start();
        await().atMost(LIMIT).until(() -> steps.size() == 2);
    }

    @Test
    void aStopEndsARoundAfterTheStepThatIsUnderWay() throws InterruptedException {
        CountDownLatch underWay = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Thread stopper = new Thread(() -> {
            purge.stop();
        });
        purge = purge(SELDOM, () -> {
            underWay.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return new PurgeStore.Step(1, false);
        });
        purge.start();
        underWay.await();
        stopper.start();
        await().until(() -> stopper.getState() == Thread.State.TIMED_WAITING);
        goOn.countDown();
        stopper.join();

        assertThat(steps).hasSize(1);
        assertThat(told).containsExactly(1);
    }

    private Duration pause(int step) {
        return Duration.ofNanos(steps.get(step + 1) - steps.get(step));
    }

    private Purge purge(Duration period, Supplier<PurgeStore.Step> step) {
        PurgeStore store = new PurgeStore() {
            @Override
            public Step step() {
                steps.add(System.nanoTime());
                return step.get();
            }

            @Override
            public void restart() {}
        };
        OutboxListener listener = new OutboxListener() {
            @Override
            public void purged(int records) {
                told.add(records);
            }
        };
        return new Purge(store, period, listener, Purge.platformThreads());
    }
}
