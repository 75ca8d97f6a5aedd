package dev.outbox.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.testkit.KafkaProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Both tests have the same servers and instances, which the second one leaves stopped. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ChaosIT {

    private static final Path LOGS = Path.of("target", "chaos");
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration STANDSTILL = Duration.ofSeconds(2);

    private static final ChaosSettings settings = ChaosSettings.configured();
    private static World world;

    @BeforeAll
    static void start() {
        System.out.println("chaos: seed=" + settings.seed());
        world = new World(Servers.shared(), settings.seed(), LOGS);
    }

    @AfterAll
    static void close() {
        if (world != null) {
            world.close();
        }
    }

    @Test
    @Order(1)
    void publishingGoesOnWithoutOneBrokerAndWaitsWithoutTwoWhileWritersGoOn() throws Exception {
        world.run(settings.variants().get(0));
        awaitGrowth(world.deliveries()::published);
        List<KafkaProcess> lost = world.brokers().subList(0, 2);
        try {
            lost.get(0).kill();
            awaitGrowth(world.deliveries()::published);

            lost.get(1).kill();
            AtomicLong published = new AtomicLong();
            await().atMost(LIMIT).during(STANDSTILL).until(() -> {
                long now = world.deliveries().published();
                return published.getAndSet(now) == now;
            });
            awaitGrowth(world.ledger()::count);
            assertThat(world.deliveries().published()).isEqualTo(published.get());
        } finally {
            lost.parallelStream().forEach(KafkaProcess::restart);
        }
        awaitGrowth(world.deliveries()::published);
    }

    @Test
    @Order(2)
    void whateverBreaksNothingIsLostInventedOvertakenOrMarkedEarly() {
        Diary diary = new Diary(LOGS.resolve("faults.log"));
        ChaosRun run = new ChaosRun(world, settings, diary);
        Findings findings = findings(run, diary);
        System.out.println(findings.summary(run.faults()));
        assertThat(findings.isClean())
                .withFailMessage(() -> findings.report() + "\n" + story(diary))
                .isTrue();
        assertThat(findings.history().committed()).isGreaterThan(100);
    }

    private static Findings findings(ChaosRun run, Diary diary) {
        try {
            return run.run();
        } catch (RuntimeException | Error e) {
            throw new AssertionError("The run broke off\n" + story(diary), e);
        }
    }

    private static String story(Diary diary) {
        return "seed %d, logs in %s\n%s".formatted(settings.seed(), LOGS, diary);
    }

    private static void awaitGrowth(Callable<Long> count) throws Exception {
        long before = count.call();
        await().atMost(LIMIT).until(() -> count.call() > before + 100);
    }
}
