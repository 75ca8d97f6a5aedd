package dev.outbox.inbox.kafka;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.TopicConfig;

/**
 * How long a topic keeps its records.
 *
 * @param topic its name
 * @param milliseconds longest time; negative without end
 */
record TopicRetention(String topic, long milliseconds) {

    private static final long WITHOUT_END = -1;

    /** Reads it from a topic's configuration. */
    static TopicRetention of(String topic, Config config) {
        List<String> policies = Arrays.asList(
                value(config, TopicConfig.CLEANUP_POLICY_CONFIG, "delete").split("\\s*,\\s*"));
        String retention = value(config, TopicConfig.RETENTION_MS_CONFIG, String.valueOf(WITHOUT_END));
        return new TopicRetention(
                topic, policies.contains(TopicConfig.CLEANUP_POLICY_DELETE) ? Long.parseLong(retention) : WITHOUT_END);
    }

    private static String value(Config config, String name, String missing) {
        ConfigEntry entry = config.get(name);
        return entry == null || entry.value() == null ? missing : entry.value().strip();
    }

    boolean isWithoutEnd() {
        return milliseconds < 0;
    }

    /** Whether the inbox forgets an event that the topic, or a redrive, may deliver again. */
    boolean outlasts(Duration inboxRetention, Duration longestRedrive) {
        return isWithoutEnd() || needed(longestRedrive).compareTo(inboxRetention) > 0;
    }

    /** How long the inbox should remember. */
    Duration needed(Duration longestRedrive) {
        return Duration.ofMillis(Math.min(milliseconds, Long.MAX_VALUE / 2)).plus(longestRedrive);
    }
}
