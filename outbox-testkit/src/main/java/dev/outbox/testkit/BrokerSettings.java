package dev.outbox.testkit;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What every broker of the test kit has in common: small, quick to start, and strict about topics. */
final class BrokerSettings {

    private BrokerSettings() {}

    /** Returns the settings by their names in {@code server.properties}. */
    static Map<String, String> forReplicas(int replicas) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("auto.create.topics.enable", "false");
        settings.put("group.initial.rebalance.delay.ms", "0");
        settings.put("offsets.topic.num.partitions", "1");
        settings.put("offsets.topic.replication.factor", Integer.toString(replicas));
        settings.put("transaction.state.log.num.partitions", "1");
        settings.put("transaction.state.log.replication.factor", Integer.toString(replicas));
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("share.coordinator.state.topic.num.partitions", "1");
        settings.put("share.coordinator.state.topic.replication.factor", Integer.toString(replicas));
        settings.put("share.coordinator.state.topic.min.isr", "1");
        // The default of 128 MiB is allocated at start, more than a broker needs here.
        settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 * 1024 * 1024));
        return settings;
    }

    /** Returns the name by which the container image takes a setting. */
    static String environmentName(String setting) {
        return "KAFKA_" + setting.toUpperCase(Locale.ROOT).replace('.', '_');
    }
}
