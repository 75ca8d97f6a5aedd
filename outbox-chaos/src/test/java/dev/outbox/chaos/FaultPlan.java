package dev.outbox.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * An endless sequence of faults that the seed decides. Every kind comes once before any comes again; now and then two, of
 * different parts, are under way at once.
 */
public final class FaultPlan {

    private static final int TARGETS = 3;
    private static final double TOGETHER = 0.7;

    private final Set<FaultKind> kinds;
    private final Random random;
    private final List<FaultKind> deck = new ArrayList<>();

    public FaultPlan(long seed, Set<FaultKind> kinds) {
        this.kinds = kinds;
        this.random = new Random(seed);
    }

    /** The next fault, or the next two whose times overlap. */
    public List<PlannedFault> next() {
        PlannedFault first = plan(draw(), Duration.ZERO);
        List<PlannedFault> group = new ArrayList<>(List.of(first));
        if (random.nextDouble() < TOGETHER) {
            drawOtherThan(first.kind().part())
                    .map(kind -> plan(kind, upTo(first.duration())))
                    .ifPresent(group::add);
        }
        return group;
    }

    private PlannedFault plan(FaultKind kind, Duration delay) {
        Duration least = Duration.ofSeconds(kind.leastSeconds());
        Duration duration =
                least.plus(upTo(Duration.ofSeconds(kind.mostSeconds()).minus(least)));
        return new PlannedFault(kind, random.nextInt(TARGETS), count(kind), delay, duration);
    }

    private int count(FaultKind kind) {
        return switch (kind) {
            case BROKER_KILLED,
                    BROKER_PAUSED,
                    INSTANCE_KILLED,
                    INSTANCE_PAUSED,
                    INSTANCE_HUNG,
                    INSTANCE_TERMINATED,
                    HANDLER_SLOW -> 1;
            case TWO_BROKERS_KILLED, LAST_BROKER_KILLED -> 2;
            case BROKERS_PAUSED,
                    DATABASE_STOPPED,
                    DATABASE_PAUSED,
                    SESSIONS_TERMINATED,
                    COMMITS_TERMINATED,
                    MEMBERS_COME_AND_GO -> TARGETS;
            default -> 1 + random.nextInt(TARGETS);
        };
    }

    private Duration upTo(Duration most) {
        return Duration.ofMillis(random.nextLong(most.toMillis() + 1));
    }

    private FaultKind draw() {
        if (deck.isEmpty()) {
            deck.addAll(kinds);
            Collections.shuffle(deck, random);
        }
        return deck.remove(0);
    }

    private Optional<FaultKind> drawOtherThan(FaultKind.Part part) {
        Optional<FaultKind> other =
                deck.stream().filter(kind -> kind.part() != part).findFirst();
        other.ifPresent(deck::remove);
        return other;
    }
}
