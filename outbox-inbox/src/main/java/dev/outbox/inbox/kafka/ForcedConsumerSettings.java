package dev.outbox.inbox.kafka;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** The Kafka consumer settings on which the inbox's guarantee stands. */
public final class ForcedConsumerSettings {

    /** Most records of a poll if nothing else is configured: with one transaction each, well under a poll interval. */
    public static final int DEFAULT_MAX_POLL_RECORDS = 100;

    /** The same for listeners that process several at once. */
    public static final int DEFAULT_MAX_POLL_RECORDS_IN_PARALLEL = 500;

    private ForcedConsumerSettings() {}

    /**
     * Returns what the consumer is to be configured with: the given settings, the forced ones, and byte arrays as keys
     * and values.
     *
     * @param configured names and values as for a Kafka consumer; it stays as it is
     * @throws ConflictingConsumerSettingException if a forced setting is configured with another value
     */
    public static Map<String, Object> apply(Map<String, ?> configured) {
        Map<String, Object> effective = new LinkedHashMap<>();
        configured.forEach((setting, value) -> {
            if (value != null) {
                effective.put(setting, value);
            }
        });
        for (Forced forced : Forced.values()) {
            forced.check(configured);
            effective.put(forced.setting, forced.required);
        }
        if (groupsAreManagedByTheBroker(effective)) {
            effective.remove(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);
        }
        effective.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, DEFAULT_MAX_POLL_RECORDS);
        effective.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        effective.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        return effective;
    }

    /** In that protocol the broker assigns, always cooperatively, and Kafka refuses a strategy of the client. */
    private static boolean groupsAreManagedByTheBroker(Map<String, Object> settings) {
        return GroupProtocol.CONSUMER.name().equalsIgnoreCase(text(settings.get(ConsumerConfig.GROUP_PROTOCOL_CONFIG)));
    }

    private static String text(@Nullable Object value) {
        if (value instanceof Collection<?> values) {
            return values.stream().map(ForcedConsumerSettings::text).collect(Collectors.joining(","));
        }
        if (value instanceof Class<?> type) {
            return type.getName();
        }
        return Objects.toString(value).strip();
    }

    private enum Forced {
        AUTO_COMMIT(
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                "false",
                "offsets committed by time could overtake the database's commit, and those events would be lost"),
        ISOLATION(
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                "events of an aborted Kafka transaction never happened"),
        OFFSET_RESET(
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                "a new group, or one whose offsets have expired, would miss the events before its start"),
        ASSIGNMENT(
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                CooperativeStickyAssignor.class.getName(),
                "with an eager strategy each rebalance stops every partition");

        private final String setting;
        private final String required;
        private final String reason;

        Forced(String setting, String required, String reason) {
            this.setting = setting;
            this.required = required;
            this.reason = reason;
        }

        private void check(Map<String, ?> configured) {
            Object value = configured.get(setting);
            if (value != null && !text(value).equalsIgnoreCase(required)) {
                throw new ConflictingConsumerSettingException(setting, text(value), required, reason);
            }
        }
    }
}
