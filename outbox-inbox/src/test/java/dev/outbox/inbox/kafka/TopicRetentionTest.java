package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.junit.jupiter.api.Test;

class TopicRetentionTest {

    private static final Duration EIGHT_DAYS = Duration.ofDays(8);
    private static final Duration DAY = Duration.ofDays(1);

    @Test
    void theDefaultsOfKafkaAndOfTheInboxFit() {
        TopicRetention topic = topic("delete", "604800000");

        assertThat(topic.outlasts(EIGHT_DAYS, DAY)).isFalse();
        assertThat(topic.outlasts(EIGHT_DAYS.minusMillis(1), DAY)).isTrue();
        assertThat(topic.outlasts(EIGHT_DAYS, DAY.plusMillis(1))).isTrue();
    }

    @Test
    void aCompactedTopicKeepsRecordsWithoutEndUnlessItAlsoDeletes() {
        assertThat(topic("compact", "1000").isWithoutEnd()).isTrue();
        assertThat(topic("compact, delete", "1000").isWithoutEnd()).isFalse();
        assertThat(topic("delete", "-1").isWithoutEnd()).isTrue();
        assertThat(topic("delete", "-1").outlasts(EIGHT_DAYS, DAY)).isTrue();
    }

    @Test
    void theLongestPossibleRetentionIsNoOverflow() {
        assertThat(topic("delete", String.valueOf(Long.MAX_VALUE)).outlasts(EIGHT_DAYS, DAY))
                .isTrue();
    }

    private static TopicRetention topic(String policy, String retention) {
        return TopicRetention.of(
                "orders.v1",
                new Config(List.of(
                        new ConfigEntry("cleanup.policy", policy), new ConfigEntry("retention.ms", retention))));
    }
}
