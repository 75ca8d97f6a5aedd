package dev.outbox.kafka;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which topics take records.
 *
 * <p>Sending to a topic without metadata blocks the sender for {@code max.block.ms}, record after record. So a topic is
 * closed until a probe on another thread has found it, and is closed again when sending to it fails. Records of other
 * topics don't wait for it.
 */
final class TopicGate implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TopicGate.class);

    /** Probes of missing topics block, so there are enough of them not to keep a good topic waiting. */
    private static final int PROBE_THREADS = 8;

    private static final Duration IDLE_THREAD = Duration.ofSeconds(10);
    private static final Duration FIRST_PROBE = Duration.ofSeconds(1);
    private static final IntervalFunction PAUSE =
            IntervalFunction.ofExponentialRandomBackoff(Duration.ofMillis(500), 2, 0.2, Duration.ofSeconds(10));

    private final Map<String, Topic> topics = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor probes;
    private final Consumer<String> probe;
    private final Runnable onOpen;

    /**
     * @param probe returns when the topic has metadata, throws when it has none; may block
     * @param onOpen told when a topic begins to take records
     */
    TopicGate(Consumer<String> probe, Runnable onOpen) {
        this.probe = probe;
        this.onOpen = onOpen;
        this.probes = new ScheduledThreadPoolExecutor(PROBE_THREADS, task -> {
            Thread thread = new Thread(task, "outbox-topic-probe");
            thread.setDaemon(true);
            return thread;
        });
        probes.setKeepAliveTime(IDLE_THREAD.toSeconds(), TimeUnit.SECONDS);
        probes.allowCoreThreadTimeOut(true);
    }

    /** Probes topics that were never asked for, all at once, and waits a moment for the answers. */
    void await(Set<String> names) throws InterruptedException {
        List<Topic> asked = names.stream().map(this::topic).toList();
        long deadline = System.nanoTime() + FIRST_PROBE.toNanos();
        for (Topic topic : asked) {
            if (!topic.probed.await(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                topic.probed.countDown();
            }
        }
    }

    /** Whether the topic takes records. */
    boolean isOpen(String name) {
        return topic(name).open;
    }

    /** Whether at least one topic takes records, or none was asked for yet. */
    boolean anyOpen() {
        return topics.isEmpty() || topics.values().stream().anyMatch(topic -> topic.open);
    }

    /** A record was acknowledged. */
    void succeeded(String name) {
        topic(name).failures.set(0);
    }

    /** Sending failed for a reason that concerns the topic: nothing more is sent to it until a probe has succeeded. */
    void close(String name, Exception cause) {
        Topic topic = topic(name);
        synchronized (topic) {
            if (topic.open) {
                topic.open = false;
                log.warn("Topic {} takes no records now: {}", name, cause.toString());
                probeLater(name, topic);
            }
        }
    }

    @Override
    public void close() {
        probes.shutdownNow();
    }

    private Topic topic(String name) {
        return topics.computeIfAbsent(name, ignored -> {
            Topic topic = new Topic();
            probes.execute(() -> run(name, topic));
            return topic;
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a probe handles its own failure
    private void probeLater(String name, Topic topic) {
        long pause = PAUSE.apply(topic.failures.incrementAndGet());
        if (!probes.isShutdown()) {
            probes.schedule(() -> run(name, topic), pause, TimeUnit.MILLISECONDS);
        }
    }

    private void run(String name, Topic topic) {
        try {
            probe.accept(name);
            topic.open = true;
        } catch (RuntimeException e) {
            if (topic.failures.get() == 0) {
                log.warn("Topic {} can't be reached, its records wait: {}", name, e.toString());
            }
            probeLater(name, topic);
        } finally {
            topic.probed.countDown();
        }
        if (topic.open) {
            log.debug("Topic {} takes records", name);
            onOpen.run();
        }
    }

    private static final class Topic {

        private volatile boolean open;
        private final CountDownLatch probed = new CountDownLatch(1);
        /** Failed probes and closings since the last acknowledgement. */
        private final AtomicInteger failures = new AtomicInteger();
    }
}
