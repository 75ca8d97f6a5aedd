package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.VersionSettings;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Looks after early events on a daemon thread of its own: applies those that were left behind, tries those again that
 * failed, applies the policy for those that have waited too long, and tells the observers how many wait.
 *
 * <p>It starts after the listeners and stops before them. Several instances may do it at once. A failure of the database is
 * logged and tried again after the period. Thread-safe.
 */
public final class EarlyEventSweeper implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(EarlyEventSweeper.class);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

    /** After so long without a failure, what is missing now is not missing because of an outage. */
    private static final Duration LONGEST_GRACE = Duration.ofMinutes(5);

    /** How long one consumer may keep the others waiting. */
    private static final Duration TURN = Duration.ofSeconds(5);

    private static final int BATCH = 100;

    private final Set<ConsumerName> consumers;
    private final EarlyTurns turns;
    private final Successors successors;
    private final VersionGaps gaps;
    private final VersionSettings settings;
    private final InboxListener listener;
    private BooleanSupplier ready = () -> true;
    private @Nullable ScheduledExecutorService thread;
    private volatile boolean stopping;
    private volatile boolean failing;
    private volatile @Nullable Long wellSince;

    EarlyEventSweeper(
            Set<ConsumerName> consumers,
            EarlyTurns turns,
            Successors successors,
            VersionGaps gaps,
            VersionSettings settings,
            InboxListener listener) {
        this.consumers = consumers;
        this.turns = turns;
        this.successors = successors;
        this.gaps = gaps;
        this.settings = settings;
        this.listener = listener;
    }

    /** Does nothing until the tables can be used, as this says. */
    EarlyEventSweeper when(BooleanSupplier ready) {
        this.ready = ready;
        return this;
    }

    /** Starts to look, at once and then after each period. Nothing happens if it has started already. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // its task throws nothing and ends with the thread
    public synchronized void start() {
        if (thread != null) {
            return;
        }
        stopping = false;
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread daemon = new Thread(task, "inbox-early-events");
            daemon.setDaemon(true);
            return daemon;
        });
        started.scheduleWithFixedDelay(this::sweepOrLog, 0, settings.period().toMillis(), TimeUnit.MILLISECONDS);
        thread = started;
    }

    /** Stops after the events of the aggregate that is under way, within 5 seconds. Nothing happens if it has not started. */
    @Override
    public synchronized void stop() {
        ScheduledExecutorService ending = thread;
        if (ending == null) {
            return;
        }
        thread = null;
        stopping = true;
        ending.shutdown();
        try {
            if (!ending.awaitTermination(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("A handler of an early event did not end within {}; it is interrupted", STOP_LIMIT);
                ending.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it has started and not been stopped. */
    @Override
    public synchronized boolean isRunning() {
        return thread != null;
    }

    /** Looks once, on the calling thread, at the early events of every consumer of this application. */
    public void sweepNow() {
        long now = System.nanoTime();
        Long since = wellSince;
        for (ConsumerName consumer : consumers) {
            followAll(consumer);
            if (since != null && now - since >= grace().toNanos()) {
                closeGaps(consumer);
            }
            listener.earlyEvents(consumer.value(), turns.backlog(consumer));
        }
        if (since == null) {
            wellSince = now;
        }
    }

    private void followAll(ConsumerName consumer) {
        long end = System.nanoTime() + TURN.toNanos();
        int applied;
        do {
            applied = 0;
            for (Aggregate aggregate : turns.due(consumer, BATCH)) {
                if (stopping || System.nanoTime() >= end) {
                    return;
                }
                applied += successors.follow(aggregate);
            }
        } while (applied > 0);
    }

    private void closeGaps(ConsumerName consumer) {
        long end = System.nanoTime() + TURN.toNanos();
        List<Aggregate> overdue;
        int closed;
        do {
            overdue = turns.overdue(consumer, settings.timeout(), BATCH);
            closed = gaps.close(consumer, overdue, successors);
        } while (closed > 0 && overdue.size() == BATCH && !stopping && System.nanoTime() < end);
    }

    private Duration grace() {
        return settings.timeout().compareTo(LONGEST_GRACE) < 0 ? settings.timeout() : LONGEST_GRACE;
    }

    private void sweepOrLog() {
        if (consumers.isEmpty() || !ready.getAsBoolean()) {
            return;
        }
        try {
            sweepNow();
            failing = false;
        } catch (RuntimeException | Error e) {
            wellSince = null;
            if (stopping) {
                return;
            }
            consumers.forEach(consumer -> listener.earlyEvents(consumer.value(), null));
            if (!failing) {
                LOG.warn("Early events could not be looked after; next try in {}", settings.period(), e);
            }
            failing = true;
        }
    }
}
