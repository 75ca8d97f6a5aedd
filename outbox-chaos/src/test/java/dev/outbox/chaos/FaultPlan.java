package dev.outbox.chaos;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * An endless sequence of faults that the seed decides. Every kind comes once before any comes again; now and then two, of
 * different parts, are under way at once.
 */
final class FaultPlan {

    private static final int TARGETS = 3;
    private static final double TOGETHER = 0.5;

    private final Random random;
    private final Deque<FaultKind> deck = new ArrayDeque<>();

    FaultPlan(long seed) {
        this.random = new Random(seed);
    }

    /** The next fault, or the next two whose times overlap. */
    List<PlannedFault> next() {
        PlannedFault first = plan(draw(), Duration.ZERO);
        FaultKind other = peek();
        if (random.nextDouble() >= TOGETHER || other.part() == first.kind().part()) {
            return List.of(first);
        }
        return List.of(first, plan(draw(), upTo(first.duration())));
    }

    private PlannedFault plan(FaultKind kind, Duration delay) {
        Duration least = Duration.ofSeconds(kind.leastSeconds());
        Duration duration =
                least.plus(upTo(Duration.ofSeconds(kind.mostSeconds()).minus(least)));
        return new PlannedFault(kind, random.nextInt(TARGETS), count(kind), delay, duration);
    }

    private int count(FaultKind kind) {
        return switch (kind) {
            case BROKER_KILLED, BROKER_PAUSED, INSTANCE_KILLED, INSTANCE_PAUSED, INSTANCE_TERMINATED -> 1;
            case TWO_BROKERS_KILLED -> 2;
            case BROKERS_PAUSED, DATABASE_STOPPED, DATABASE_PAUSED, SESSIONS_TERMINATED -> TARGETS;
            default -> 1 + random.nextInt(TARGETS);
        };
    }

    private Duration upTo(Duration most) {
        return Duration.ofMillis(random.nextLong(most.toMillis() + 1));
    }

    private FaultKind draw() {
        FaultKind next = peek();
        deck.remove();
        return next;
    }

    private FaultKind peek() {
        if (deck.isEmpty()) {
            List<FaultKind> all = Arrays.asList(FaultKind.values());
            Collections.shuffle(all, random);
            deck.addAll(all);
        }
        return deck.element();
    }
}
