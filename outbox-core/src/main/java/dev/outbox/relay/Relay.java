package dev.outbox.relay;

import dev.outbox.DeliveryStore;
import dev.outbox.EventPublisher;
import dev.outbox.OutboxListener;
import dev.outbox.TransactionalPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Publishes what the outbox holds, on threads of its own, for as long as it runs.
 *
 * <p>It survives every failure of database and broker: it logs, waits and goes on. A stop claims nothing more, waits for
 * the acknowledgements of what is under way, writes them down and gives the lanes back. What is not acknowledged within
 * the shutdown timeout is given up and published again by whoever gets its lane; the lanes are given back all the same,
 * within {@link #RELEASE_LIMIT}.
 */
public final class Relay implements SmartLifecycle {

    /** Stops after web servers and message listeners, whose last work may append, and before the connection pool. */
    public static final int PHASE = SmartLifecycle.DEFAULT_PHASE / 4;

    /** How long a stop that has given up waiting for acknowledgements waits for the lanes to be given back. */
    public static final Duration RELEASE_LIMIT = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    private final DeliveryStore store;
    private final EventPublisher publisher;
    private final RelaySettings settings;
    private final OutboxListener listener;
    private final @Nullable TransactionalPublisher transactions;
    private final ThreadFactory threadFactory;
    private final List<RelayLoop> loops = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean running;

    /**
     * @param listener told of every outcome
     */
    public Relay(DeliveryStore store, EventPublisher publisher, RelaySettings settings, OutboxListener listener) {
        this(store, publisher, null, settings, listener, Relay::daemon);
    }

    /**
     * @param transactions publishes batches in transactions; {@code null} to publish records one by one
     * @param listener told of every outcome
     * @param threads makes the relay's threads; they must not keep the JVM alive
     */
    public Relay(
            DeliveryStore store,
            EventPublisher publisher,
            @Nullable TransactionalPublisher transactions,
            RelaySettings settings,
            OutboxListener listener,
            ThreadFactory threads) {
        this.transactions = transactions;
        this.threadFactory = threads;
        this.store = store;
        this.publisher = publisher;
        this.settings = settings;
        this.listener = listener;
    }

    /** Makes the relay look at once, instead of at its next poll. Costs nothing; may be called by any thread. */
    public void wake() {
        synchronized (loops) {
            loops.forEach(RelayLoop::wake);
        }
    }

    /** A topic can take records again: what was put off of it is published at once. Any thread. */
    public void opened(String topic) {
        synchronized (loops) {
            loops.stream().findFirst().ifPresent(loop -> loop.opened(topic));
        }
    }

    /** One record of a topic is wanted, to find out whether that takes records again. Any thread. */
    public void probing(String topic) {
        synchronized (loops) {
            loops.stream().findFirst().ifPresent(loop -> loop.probing(topic));
        }
    }

    /** How it is now. Costs nothing; any thread. */
    public RelayStatus status() {
        synchronized (loops) {
            RelayLoop.Trouble worst = loops.stream()
                    .map(RelayLoop::trouble)
                    .filter(Objects::nonNull)
                    .max(Comparator.comparing(RelayLoop.Trouble::duration))
                    .orElse(null);
            return new RelayStatus(
                    running,
                    (int) threads.stream().filter(Thread::isAlive).count(),
                    worst == null ? Duration.ZERO : worst.duration(),
                    worst == null ? null : worst.latest());
        }
    }

    @Override
    public void start() {
        synchronized (loops) {
            if (running) {
                return;
            }
            running = true;
            for (int worker = 1; worker <= settings.claims().workers(); worker++) {
                startWorker("outbox-relay-" + worker);
            }
        }
    }

    private void startWorker(String name) {
        Marker marker = new Marker(work -> named(work, name + "-marks"), new OutcomeReport(listener));
        RelayCycle cycle = new RelayCycle(store, publisher, transactions, settings, marker, () -> !running);
        RelayLoop loop = new RelayLoop(cycle, settings.polling(), listener);
        Thread thread = named(
                () -> {
                    try (marker) {
                        loop.run();
                    }
                },
                name);
        loops.add(loop);
        threads.add(thread);
        thread.start();
    }

    private Thread named(Runnable work, String name) {
        Thread thread = threadFactory.newThread(work);
        thread.setName(name);
        return thread;
    }

    /** The threads that a relay has unless told otherwise. */
    public static Thread daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void stop() {
        List<Thread> stopping;
        synchronized (loops) {
            running = false;
            loops.forEach(RelayLoop::stop);
            loops.clear();
            stopping = List.copyOf(threads);
            threads.clear();
        }
        try {
            awaitEnd(stopping);
        } catch (InterruptedException e) {
            stopping.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
    }

    private void awaitEnd(List<Thread> stopping) throws InterruptedException {
        for (Thread thread : awaitEnd(stopping, settings.shutdownTimeout())) {
            log.warn(
                    "{} has not ended within {}; what is not acknowledged will be published again",
                    thread.getName(),
                    settings.shutdownTimeout());
            thread.interrupt();
        }
        for (Thread thread : awaitEnd(stopping, RELEASE_LIMIT)) {
            log.warn(
                    "{} could not give its lanes back within {}; they are free when the database has noticed",
                    thread.getName(),
                    RELEASE_LIMIT);
        }
    }

    /** Returns the threads that are still there when the time is over. */
    private static List<Thread> awaitEnd(List<Thread> threads, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        for (Thread thread : threads) {
            thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
        }
        return threads.stream().filter(Thread::isAlive).toList();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
