package dev.outbox.chaos;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Inflicts faults on a world for a while, heals everything, waits until all is published, and checks. */
final class ChaosRun {

    private static final Duration GAP = Duration.ofMillis(500);
    private static final Duration DRAIN_LIMIT = Duration.ofMinutes(5);
    private static final Duration WATCH = Duration.ofMillis(100);
    private static final Duration REPORT = Duration.ofMinutes(1);

    private final World world;
    private final ChaosSettings settings;
    private final Faults faults;
    private final FaultPlan plan;
    private final Diary diary;
    private final long begin = System.nanoTime();
    private long reported = begin;
    private int inflicted;

    ChaosRun(World world, ChaosSettings settings, Diary diary) {
        this.world = world;
        this.settings = settings;
        this.diary = diary;
        this.faults = new Faults(world);
        this.plan = new FaultPlan(settings.seed(), settings.faults());
    }

    /** Leaves the world with its instances stopped. */
    Findings run() {
        long end = System.nanoTime() + settings.duration().toNanos();
        int slice = 0;
        while (System.nanoTime() < end) {
            Map<String, String> variant =
                    settings.variants().get(slice % settings.variants().size());
            world.run(variant);
            note("instances run with " + (variant.isEmpty() ? "their defaults" : variant));
            long sliceEnd = Math.min(end, System.nanoTime() + settings.slice().toNanos());
            while (System.nanoTime() < sliceEnd) {
                inflict(plan.next());
            }
            slice++;
        }
        return finish();
    }

    int faults() {
        return inflicted;
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
                    watchUntil(start + step.at.toNanos());
                    note(step.what);
                    step.action.run();
                });
        watchUntil(System.nanoTime() + GAP.toNanos());
    }

    /** Time that passes is used to look after instances that have ended by themselves. */
    private void watchUntil(long time) {
        Awaitility.await()
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(WATCH)
                .atMost(Duration.ofHours(1))
                .until(() -> {
                    world.startEnded()
                            .forEach(instance -> note("instance " + instance.number() + " had ended by itself"));
                    return System.nanoTime() >= time;
                });
        if (System.nanoTime() - reported > REPORT.toNanos()) {
            reported = System.nanoTime();
            System.out.printf("chaos: %s, %d faults%n", clock(), inflicted);
        }
    }

    private Findings finish() {
        note("everything is healed; writers stop");
        world.ledger().setWriting(false);
        note("writers have stopped; waiting for the rest to be published");
        Awaitility.await("everything published")
                .pollInSameThread()
                .pollInterval(WATCH)
                .atMost(DRAIN_LIMIT)
                .until(() -> {
                    world.startEnded();
                    return world.deliveries().unpublished() == 0;
                });
        note("all is published; instances stop");
        world.stopAll();
        note("checking");
        return world.check();
    }

    private void note(String what) {
        diary.note(clock() + " " + what);
    }

    private String clock() {
        long millis = (System.nanoTime() - begin) / 1_000_000;
        return "%02d:%02d.%03d".formatted(millis / 60_000, millis / 1_000 % 60, millis % 1_000);
    }

    private record Step(Duration at, String what, Runnable action) {}
}
