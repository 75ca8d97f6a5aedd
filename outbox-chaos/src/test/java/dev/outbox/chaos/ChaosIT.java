package dev.outbox.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ChaosIT {

    private static final Path LOGS = Path.of("target", "chaos");

    @Test
    void whateverBreaksNothingIsLostInventedOvertakenOrMarkedEarly() {
        ChaosSettings settings = ChaosSettings.configured();
        System.out.println("chaos: seed=" + settings.seed());
        try (World world = new World(settings.seed(), LOGS)) {
            ChaosRun run = new ChaosRun(world, settings);
            Findings findings;
            try {
                findings = run.run();
            } catch (RuntimeException | Error e) {
                throw new AssertionError(
                        "The run with seed %d broke off; logs are in %s%n%s"
                                .formatted(settings.seed(), LOGS, String.join("\n", run.diary())),
                        e);
            }
            System.out.println(findings.summary(run.faults()));
            run.diary().forEach(System.out::println);
            assertThat(findings.isClean())
                    .withFailMessage(() -> "seed %d, logs in %s%n%s%n%s"
                            .formatted(settings.seed(), LOGS, findings.report(), String.join("\n", run.diary())))
                    .isTrue();
            assertThat(findings.history().committed()).isGreaterThan(100);
        }
    }
}
