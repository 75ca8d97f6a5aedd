package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForcedConsumerSettingsTest {

    @Test
    void whatTheGuaranteeStandsOnIsForcedAndTheRestIsKept() {
        Map<String, Object> configured = new HashMap<>();
        configured.put("bootstrap.servers", "broker:9092");
        configured.put("security.protocol", "SSL");
        configured.put("client.rack", null);
        configured.put("value.deserializer", StringDeserializer.class);

        Map<String, Object> effective = ForcedConsumerSettings.apply(configured);

        assertThat(effective)
                .containsEntry("bootstrap.servers", "broker:9092")
                .containsEntry("security.protocol", "SSL")
                .containsEntry("enable.auto.commit", "false")
                .containsEntry("isolation.level", "read_committed")
                .containsEntry("auto.offset.reset", "earliest")
                .containsEntry("partition.assignment.strategy", CooperativeStickyAssignor.class.getName())
                .containsEntry("max.poll.records", 100)
                .doesNotContainKey("client.rack");
        assertThat(effective.get("value.deserializer")).asString().endsWith("ByteArrayDeserializer");
        assertThat(effective.get("key.deserializer")).asString().endsWith("ByteArrayDeserializer");
        assertThat(new ConsumerConfig(effective).getInt("max.poll.records")).isEqualTo(100);
    }

    @ParameterizedTest
    @CsvSource({
        "enable.auto.commit, true, false",
        "isolation.level, read_uncommitted, read_committed",
        "auto.offset.reset, latest, earliest",
        "auto.offset.reset, by_duration:PT1H, earliest",
        "auto.offset.reset, none, earliest",
    })
    void anotherValueIsRefusedByNameAndReason(String setting, String configured, String required) {
        assertThatExceptionOfType(ConflictingConsumerSettingException.class)
                .isThrownBy(() -> ForcedConsumerSettings.apply(Map.of(setting, configured)))
                .withMessageContaining(setting + " is '" + configured + "'")
                .withMessageContaining("needs '" + required + "'")
                .satisfies(e -> assertThat(e.setting()).isEqualTo(setting))
                .satisfies(e -> assertThat(e.configured()).isEqualTo(configured))
                .satisfies(e -> assertThat(e.required()).isEqualTo(required));
    }

    @Test
    void theForcedValueMayBeConfiguredInAnyFormThatKafkaTakes() {
        assertThat(ForcedConsumerSettings.apply(Map.of(
                        "enable.auto.commit",
                        false,
                        "isolation.level",
                        "read_committed",
                        "partition.assignment.strategy",
                        List.of(CooperativeStickyAssignor.class),
                        "max.poll.records",
                        "500")))
                .containsEntry("max.poll.records", "500");
    }

    @Test
    void anotherAssignmentStrategyIsRefusedAloneAndInAList() {
        assertThatExceptionOfType(ConflictingConsumerSettingException.class)
                .isThrownBy(() -> ForcedConsumerSettings.apply(
                        Map.of("partition.assignment.strategy", RangeAssignor.class.getName())));
        assertThatExceptionOfType(ConflictingConsumerSettingException.class)
                .isThrownBy(() -> ForcedConsumerSettings.apply(Map.of(
                        "partition.assignment.strategy",
                        List.of(CooperativeStickyAssignor.class, RangeAssignor.class))))
                .withMessageContaining("CooperativeStickyAssignor,org.apache.kafka.clients.consumer.RangeAssignor");
    }

    @Test
    void whereTheBrokerAssignsNoStrategyIsSetBecauseKafkaWouldRefuseIt() {
        Map<String, Object> effective = ForcedConsumerSettings.apply(
                Map.of("bootstrap.servers", "broker:9092", "group.protocol", "consumer", "group.id", "g"));

        assertThat(effective).doesNotContainKey("partition.assignment.strategy");
        assertThat(new ConsumerConfig(effective).getString("group.protocol")).isEqualTo("consumer");
    }
}
