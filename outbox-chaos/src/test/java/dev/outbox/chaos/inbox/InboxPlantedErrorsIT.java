package dev.outbox.chaos.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.chaos.Instance;
import dev.outbox.chaos.Servers;
import dev.outbox.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The check finds what is wrong: one of two listeners of the same service does without an inbox. */
class InboxPlantedErrorsIT {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int RECORDS = 320;

    @Test
    void doubleMissingAndEarlyOffsetsAreFoundWhereTheyAreAndNowhereElse() {
        List<String> right = List.of(Mode.RECORD.consumer());
        List<String> wrong = List.of(Mode.PLANTED.consumer());
        try (Traffic traffic = new Traffic(
                        Servers.shared(),
                        List.of(Mode.RECORD.consumer(), Mode.PLANTED.consumer()),
                        7,
                        Duration.ofMillis(4));
                ConfigurableApplicationContext service = InboxChaosApplication.start(arguments(traffic))) {
            traffic.start();
            await().atMost(LIMIT).until(() -> traffic.sent() >= RECORDS);
            traffic.load().stop();
            await().atMost(LIMIT).until(traffic::isConsumed);
            service.close();
            traffic.sampler().stop();

            InboxFindings clean = traffic.check(right);
            assertThat(clean.isClean()).withFailMessage(clean::report).isTrue();
            InboxFindings found = traffic.check(wrong);
            assertThat(found.doubled()).isNotEmpty();
            assertThat(found.missing()).isNotEmpty();
            assertThat(found.ahead()).isNotEmpty();
        }
    }

    private static String[] arguments(Traffic traffic) {
        TestDatabase database = traffic.database();
        Map<String, String> properties = new TreeMap<>(
                InboxChaosApplication.properties(traffic.topic(), List.of(Mode.RECORD, Mode.PLANTED), "planted"));
        properties.put("spring.datasource.url", database.jdbcUrl());
        properties.put("spring.datasource.username", database.user());
        properties.put("spring.datasource.password", database.password());
        properties.put(
                "spring.kafka.bootstrap-servers", Servers.shared().kafka().bootstrapServers());
        return Instance.arguments(properties).toArray(String[]::new);
    }
}
