package dev.outbox.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.testkit.KafkaBroker;
import dev.outbox.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The check finds what is wrong: each test breaks the outbox in one way and runs the same service and the same check. */
class PlantedErrorsIT {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static final KafkaBroker KAFKA = Servers.shared().kafka();

    @Test
    void nothingIsFoundWhereNothingIsPlanted() {
        Findings findings = run(PlantedErrors.Planted.NONE);

        assertThat(findings.isClean()).withFailMessage(findings::report).isTrue();
        assertThat(findings.history().committed()).isGreaterThan(100);
        assertThat(findings.summary(0)).contains("lost=0 phantom=0 overtaken=0 early-marks=0 repeats=0");
    }

    @Test
    void recordsThatWereNeverSentAreLostAndMarkedEarly() {
        Findings findings = run(PlantedErrors.Planted.NOT_SENT);

        assertThat(findings.history().lost()).isNotEmpty();
        assertThat(findings.earlyMarks()).hasSameSizeAs(findings.history().lost());
        assertThat(findings.history().phantom()).isEmpty();
        assertThat(findings.isClean()).isFalse();
    }

    @Test
    void recordsThatAreSentAfterTheirMarkAreMarkedEarly() {
        Findings findings = run(PlantedErrors.Planted.SENT_LATE);

        assertThat(findings.earlyMarks()).isNotEmpty();
        assertThat(findings.history().isClean())
                .withFailMessage(findings::report)
                .isTrue();
        assertThat(findings.isClean()).isFalse();
    }

    @Test
    void recordsThatAreSentAfterLaterOnesAreOvertaken() {
        Findings findings = run(PlantedErrors.Planted.SENT_OUT_OF_ORDER);

        assertThat(findings.history().overtaken()).isNotEmpty();
        assertThat(findings.history().lost()).isEmpty();
        assertThat(findings.isClean()).isFalse();
    }

    @Test
    void eventsOfTransactionsThatRolledBackArePhantoms() {
        Findings findings = run(PlantedErrors.Planted.STORED_APART);

        assertThat(findings.history().phantom()).isNotEmpty();
        assertThat(findings.history().lost()).isEmpty();
        assertThat(findings.isClean()).isFalse();
    }

    private static Findings run(PlantedErrors.Planted planted) {
        TestDatabase database = Servers.shared().postgres().createDatabase();
        JdbcClient jdbc = JdbcClient.create(database.dataSource());
        Ledger ledger = new Ledger(jdbc);
        ledger.create(WriterSettings.AGGREGATES);
        Deliveries deliveries = new Deliveries(jdbc);
        String topic = KAFKA.createTopic("planted", 3, TopicLog.TOPIC_SETTINGS);
        WriterSettings writers = new WriterSettings(topic, 7, 3, 60, Duration.ofMillis(5), WriterSettings.AGGREGATES);
        try (ConfigurableApplicationContext instance = ChaosApplication.start(arguments(database, writers, planted))) {
            await().atMost(LIMIT)
                    .until(() -> instance.getBean(Writers.class).areDone() && deliveries.unpublished() == 0);
            if (planted != PlantedErrors.Planted.NOT_SENT) {
                KAFKA.awaitRecords(topic, (int) ledger.count(), LIMIT);
            }
        }
        return Findings.of(
                ledger.committed(), TopicLog.read(KAFKA, topic), deliveries.publishedAt(), deliveries.blamed());
    }

    private static String[] arguments(TestDatabase database, WriterSettings writers, PlantedErrors.Planted planted) {
        List<String> arguments = new ArrayList<>(writers.arguments());
        arguments.addAll(List.of(
                "--spring.datasource.url=" + database.jdbcUrl(),
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=" + database.password(),
                "--spring.kafka.bootstrap-servers=" + KAFKA.bootstrapServers(),
                "--outbox.inbox.enabled=false",
                "--outbox.relay.polling.max-interval=50ms",
                "--chaos.planted=" + planted));
        return arguments.toArray(String[]::new);
    }
}
