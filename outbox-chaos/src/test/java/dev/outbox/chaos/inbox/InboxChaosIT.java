package dev.outbox.chaos.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.chaos.ChaosSettings;
import dev.outbox.chaos.Diary;
import dev.outbox.chaos.FaultKind;
import dev.outbox.chaos.FaultPlan;
import dev.outbox.chaos.FaultRun;
import dev.outbox.chaos.Servers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InboxChaosIT {

    private static final Path LOGS = Path.of("target", "chaos-inbox");
    private static final long SHORT_SEED = 20_262;
    private static final Duration DRAIN_LIMIT = Duration.ofMinutes(5);

    /** Of everything that breaks consumers, what a short run has, once each. */
    private static final Set<FaultKind> SHORT_FAULTS = EnumSet.of(
            FaultKind.DATABASE_STOPPED,
            FaultKind.BROKER_KILLED,
            FaultKind.INSTANCE_KILLED,
            FaultKind.INSTANCE_TERMINATED,
            FaultKind.COMMITS_TERMINATED,
            FaultKind.MEMBERS_COME_AND_GO,
            FaultKind.HANDLER_SLOW);

    private final long seed = ChaosSettings.seed(SHORT_SEED);
    private final Diary diary = new Diary(LOGS.resolve("faults.log"));

    @Test
    void whateverBreaksEachEventHasItsEffectOnceOrIsADeadLetterAndNoOffsetIsAheadOfTheDatabase() {
        System.out.println("inbox-chaos: seed=" + seed);
        try (InboxWorld world = new InboxWorld(Servers.shared(), seed, LOGS)) {
            Set<FaultKind> kinds = ChaosSettings.isLong() ? FaultKind.OF_CONSUMING : SHORT_FAULTS;
            FaultRun run = new FaultRun("inbox-chaos", world, new FaultPlan(seed, kinds), diary);
            InboxFindings findings = findings(world, run);
            System.out.println(findings.summary(run.faults()));
            assertThat(findings.isClean())
                    .withFailMessage(() -> findings.report() + "\n" + story())
                    .isTrue();
            assertThat(findings.events()).isGreaterThan(300);
            assertThat(findings.duplicates()).isGreaterThan(20);
            assertThat(world.traffic().sampler().samples()).isGreaterThan(20);
        }
    }

    private InboxFindings findings(InboxWorld world, FaultRun run) {
        try {
            world.start();
            run.note("instances run");
            if (ChaosSettings.isLong()) {
                run.inflictUntil(
                        System.nanoTime() + ChaosSettings.longDuration().toNanos());
            } else {
                run.inflictAtLeast(SHORT_FAULTS.size());
            }
            run.note("everything is healed; the load stops");
            world.traffic().load().stop();
            run.note("the load has stopped; waiting for the rest to be consumed");
            run.await("everything consumed", DRAIN_LIMIT, world.traffic()::isConsumed);
            run.note("all is consumed; instances stop");
            world.stop();
            world.traffic().sampler().stop();
            run.note("checking");
            return world.traffic().check();
        } catch (RuntimeException | Error e) {
            throw new AssertionError("The run broke off\n" + soFar(world) + "\n" + story(), e);
        }
    }

    private static String soFar(InboxWorld world) {
        try {
            return world.traffic().check().report();
        } catch (RuntimeException e) {
            return "Nothing can be said of it: " + e;
        }
    }

    private String story() {
        return "seed %d, logs in %s\n%s".formatted(seed, LOGS, diary);
    }
}
