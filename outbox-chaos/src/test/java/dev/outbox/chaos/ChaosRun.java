package dev.outbox.chaos;

import java.time.Duration;
import java.util.Map;

/** Inflicts faults on a world for a while, heals everything, waits until all is published, and checks. */
final class ChaosRun {

    private static final Duration DRAIN_LIMIT = Duration.ofMinutes(5);

    private final World world;
    private final ChaosSettings settings;
    private final FaultRun run;

    ChaosRun(World world, ChaosSettings settings, Diary diary) {
        this.world = world;
        this.settings = settings;
        this.run = new FaultRun("chaos", world, new FaultPlan(settings.seed(), settings.faults()), diary);
    }

    /** Leaves the world with its instances stopped. */
    Findings run() {
        long end = System.nanoTime() + settings.duration().toNanos();
        int slice = 0;
        while (System.nanoTime() < end) {
            Map<String, String> variant =
                    settings.variants().get(slice % settings.variants().size());
            world.run(variant);
            run.note("instances run with " + (variant.isEmpty() ? "their defaults" : variant));
            run.inflictUntil(Math.min(end, System.nanoTime() + settings.slice().toNanos()));
            slice++;
        }
        return finish();
    }

    int faults() {
        return run.faults();
    }

    private Findings finish() {
        run.note("everything is healed; writers stop");
        world.ledger().setWriting(false);
        run.note("writers have stopped; waiting for the rest to be published");
        run.await("everything published", DRAIN_LIMIT, () -> world.deliveries().unpublished() == 0);
        run.note("all is published; instances stop");
        world.stopAll();
        run.note("checking");
        return world.check();
    }
}
