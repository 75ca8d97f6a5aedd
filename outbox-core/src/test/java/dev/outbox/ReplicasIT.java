package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.testkit.KafkaCluster;
import dev.outbox.testkit.KafkaProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Three brokers, two of which must have a record. */
class ReplicasIT {

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int RECORDS = 100;

    @Test
    void withOneBrokerLostItGoesOnAndWithTwoLostItWaitsAndTriesOneRecordAtATime() throws Exception {
        try (KafkaCluster kafka = KafkaCluster.start();
                TestOutbox outbox = new TestOutbox()) {
            String topic = kafka.createTopic("orders", 1);
            var publisher = new SentRecords(outbox.publisher(Map.of(
                    "bootstrap.servers", kafka.bootstrapServers(),
                    "delivery.timeout.ms", 4_000,
                    "request.timeout.ms", 1_500,
                    "max.block.ms", 1_500)));
            outbox.startRelay(TestOutbox.settings(64, 1_000), outbox.store(), publisher);
            List<KafkaProcess> followers = kafka.servers().stream()
                    .filter(server -> server != kafka.leaderOf(topic, 0))
                    .toList();

            followers.get(0).kill();
            append(outbox, topic);
            await().atMost(LIMIT).until(() -> outbox.count("published_at IS NOT NULL") == RECORDS);

            followers.get(1).kill();
            append(outbox, topic);
            await().atMost(LIMIT)
                    .until(() -> outbox.count("published_at IS NULL AND last_error IS NOT NULL") == RECORDS);
            publisher.watch();
            await().atMost(LIMIT).until(() -> publisher.tried() >= 2);
            assertThat(publisher.mostAtOnce()).isEqualTo(1);
            assertThat(outbox.count("attempts > 0 OR parked_at IS NOT NULL")).isZero();
            assertThat(outbox.count("published_at IS NOT NULL")).isEqualTo(RECORDS);

            followers.parallelStream().forEach(KafkaProcess::restart);
            await().atMost(LIMIT).until(() -> outbox.count("published_at IS NULL") == 0);
            assertThat(outbox.count("attempts > 0 OR parked_at IS NOT NULL")).isZero();
        }
    }

    private static void append(TestOutbox outbox, String topic) {
        outbox.transaction.executeWithoutResult(status -> {
            for (int i = 0; i < RECORDS; i++) {
                outbox.writer.append(TestOutbox.event(topic, "a" + i).build());
            }
        });
    }
}
