package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TopicGateTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Set<String> existing = ConcurrentHashMap.newKeySet();
    private final Set<String> blocking = ConcurrentHashMap.newKeySet();
    private final Set<Thread> probedBy = ConcurrentHashMap.newKeySet();
    private final CountDownLatch block = new CountDownLatch(1);
    private final AtomicInteger probes = new AtomicInteger();
    private final AtomicInteger opened = new AtomicInteger();
    private final TopicGate gate = new TopicGate(this::probe, opened::incrementAndGet);

    @AfterEach
    void close() {
        block.countDown();
        gate.close();
    }

    @Test
    void aTopicIsOpenOnceAProbeOnAnotherThreadHasFoundIt() throws InterruptedException {
        existing.add("orders");
        gate.await(Set.of("orders"));

        assertThat(gate.isOpen("orders")).isTrue();
        assertThat(probedBy).isNotEmpty().doesNotContain(Thread.currentThread());
        await().untilAsserted(() -> assertThat(opened).hasValue(1));
    }

    @Test
    void aMissingTopicStaysClosedAndOpensOnceItIsThere() throws InterruptedException {
        gate.await(Set.of("orders"));
        assertThat(gate.isOpen("orders")).isFalse();

        existing.add("orders");
        await().atMost(LIMIT).until(() -> gate.isOpen("orders"));
        await().untilAsserted(() -> assertThat(opened).hasValue(1));
    }

    @Test
    void waitsOnlyAMomentForATopicWhoseProbeBlocksAndNotASecondTime() throws InterruptedException {
        blocking.add("slow");
        existing.add("fast");
        long start = System.nanoTime();
        gate.await(Set.of("slow", "fast"));
        Duration first = Duration.ofNanos(System.nanoTime() - start);

        assertThat(first).isBetween(Duration.ofMillis(900), Duration.ofSeconds(5));
        assertThat(gate.isOpen("fast")).isTrue();
        assertThat(gate.isOpen("slow")).isFalse();

        start = System.nanoTime();
        gate.await(Set.of("slow", "fast"));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(900));
    }

    @Test
    void askingForATopicNeverBlocks() {
        blocking.add("slow");
        long start = System.nanoTime();

        assertThat(gate.isOpen("slow")).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(900));
    }

    @Test
    void aFailureClosesATopicUntilAProbeSucceeds() throws InterruptedException {
        existing.add("orders");
        gate.await(Set.of("orders"));
        await().untilAsserted(() -> assertThat(opened).hasValue(1));
        existing.remove("orders");
        gate.close("orders", new TimeoutException("no answer"));
        assertThat(gate.isOpen("orders")).isFalse();

        existing.add("orders");
        await().atMost(LIMIT).until(() -> gate.isOpen("orders"));
        await().untilAsserted(() -> assertThat(opened).hasValue(2));
    }

    @Test
    void manyFailuresOfOneOutageStartOneProbe() throws InterruptedException {
        existing.add("orders");
        gate.await(Set.of("orders"));
        existing.remove("orders");
        int before = probes.get();
        for (int i = 0; i < 100; i++) {
            gate.close("orders", new TimeoutException("no answer"));
        }
        await().atMost(LIMIT).until(() -> probes.get() > before);
        assertThat(probes.get()).isLessThanOrEqualTo(before + 2);
    }

    @Test
    void itMakesSenseToTryUnlessEveryTopicThatWasTriedIsClosed() throws InterruptedException {
        assertThat(gate.anyOpen()).isTrue();
        gate.await(Set.of("missing"));
        assertThat(gate.anyOpen()).isFalse();
        existing.add("orders");
        gate.await(Set.of("orders"));
        assertThat(gate.anyOpen()).isTrue();
    }

    private void probe(String topic) {
        probes.incrementAndGet();
        probedBy.add(Thread.currentThread());
        if (blocking.contains(topic)) {
            try {
                block.await();
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }
        if (!existing.contains(topic)) {
            throw new UnknownTopicOrPartitionException(topic);
        }
    }
}
