package dev.outbox.chaos;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Inflicts and heals the faults of a plan at their times, and looks after instances meanwhile. */
public final class FaultRun {

    private static final Duration GAP = Duration.ofMillis(500);
    private static final Duration WATCH = Duration.ofMillis(100);
    private static final Duration REPORT = Duration.ofMinutes(1);

    private final String name;
    private final Breakable world;
    private final Faults faults;
    private final FaultPlan plan;
    private final Diary diary;
    private final long begin = System.nanoTime();
    private long reported = begin;
    private int inflicted;

    /**
     * @param name of the suite, for what it prints
     */
    public FaultRun(String name, Breakable world, FaultPlan plan, Diary diary) {
        this.name = name;
        this.world = world;
        this.faults = new Faults(world);
        this.plan = plan;
        this.diary = diary;
    }

    /** Inflicts faults until that time of {@link System#nanoTime}, and heals them all. */
    public void inflictUntil(long end) {
        while (System.nanoTime() < end) {
            inflict(plan.next());
        }
    }

    /** Inflicts at least so many faults, and heals them all; as many as the plan has kinds are one of each. */
    public void inflictAtLeast(int count) {
        while (inflicted < count) {
            inflict(plan.next());
        }
    }

    /** How many faults were inflicted. */
    public int faults() {
        return inflicted;
    }

    /** Notes what happens, with the time since the run began. */
    public void note(String what) {
        diary.note(clock() + " " + what);
    }

    /** Waits for a condition, and looks after instances that end by themselves. */
    public void await(String what, Duration limit, Callable<Boolean> condition) {
        Awaitility.await(what)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(WATCH)
                .atMost(limit)
                .until(() -> {
                    world.startEnded()
                            .forEach(instance -> note("instance " + instance.number() + " had ended by itself"));
                    return condition.call();
                });
    }

    private void inflict(List<PlannedFault> group) {
        long start = System.nanoTime();
        group.stream()
                .flatMap(fault -> Stream.of(
                        new Step(fault.delay(), "inflict " + fault, () -> {
                            inflicted++;
                            faults.inflict(fault);
                        }),
                        new Step(fault.end(), "heal " + fault, () -> faults.heal(fault))))
                .sorted(Comparator.comparing(Step::at))
                .forEach(step -> {
                    awaitTime(start + step.at.toNanos());
                    note(step.what);
                    step.action.run();
                });
        awaitTime(System.nanoTime() + GAP.toNanos());
    }

    private void awaitTime(long time) {
        await("the next step", Duration.ofHours(1), () -> System.nanoTime() >= time);
        if (System.nanoTime() - reported > REPORT.toNanos()) {
            reported = System.nanoTime();
            System.out.printf("%s: %s, %d faults%n", name, clock(), inflicted);
        }
    }

    private String clock() {
        long millis = (System.nanoTime() - begin) / 1_000_000;
        return "%02d:%02d.%03d".formatted(millis / 60_000, millis / 1_000 % 60, millis % 1_000);
    }

    private record Step(Duration at, String what, Runnable action) {}
}
