package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;

class KafkaBrokerIT {

    private final KafkaBroker broker = KafkaBroker.shared();

    @Test
    void theBrokerIsSharedAndTheSettingsOfTheApplicationAreLeftAlone() {
        assertThat(KafkaBroker.shared()).isSameAs(broker);
        assertThat(System.getProperty("spring.kafka.bootstrap-servers")).isNull();
    }

    @Test
    void everyTopicHasAUniqueNameAndItsOwnSettings() throws Exception {
        String topic = broker.createTopic("orders", 3, Map.of("cleanup.policy", "compact"));

        assertThat(topic).startsWith("orders-").isNotEqualTo(broker.createTopic("orders", 3));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", (Object) broker.bootstrapServers()))) {
            var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
            var config = admin.describeConfigs(List.of(resource))
                    .all()
                    .get()
                    .values()
                    .iterator()
                    .next();
            assertThat(config.get("cleanup.policy").value()).isEqualTo("compact");
            var described = admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get()
                    .values()
                    .iterator()
                    .next();
            assertThat(described.partitions()).hasSize(3);
        }
    }

    @Test
    void theWholeTopicIsReadByPartitionAndOffset() {
        String topic = broker.createTopic("whole", 2);
        assertThat(broker.records(topic)).isEmpty();
        try (var producer = producer(Map.of())) {
            for (int i = 0; i < 2_000; i++) {
                send(producer, new ProducerRecord<>(topic, i % 2, "k", "v" + i));
            }
        }

        var records = broker.records(topic);

        assertThat(records).hasSize(2_000);
        assertThat(records.subList(0, 3)).extracting(KafkaBrokerIT::value).containsExactly("v0", "v2", "v4");
        assertThat(records.subList(1_000, 2_000))
                .extracting(ConsumerRecord::partition)
                .containsOnly(1);
    }

    @Test
    void abortedRecordsAreSeenOnlyWhenAskedFor() {
        String topic = broker.createTopic("aborted", 1);
        try (var producer = producer(Map.of("transactional.id", topic))) {
            producer.initTransactions();
            producer.beginTransaction();
            send(producer, new ProducerRecord<>(topic, "k", "aborted"));
            producer.flush();
            producer.abortTransaction();
            producer.beginTransaction();
            send(producer, new ProducerRecord<>(topic, "k", "committed"));
            producer.commitTransaction();
        }

        assertThat(broker.records(topic, IsolationLevel.READ_COMMITTED))
                .extracting(KafkaBrokerIT::value)
                .containsExactly("committed");
        assertThat(broker.records(topic)).extracting(KafkaBrokerIT::value).containsExactly("aborted", "committed");
    }

    @Test
    void waitingEndsWithTheRecordsOrSaysHowManyAreMissing() {
        String topic = broker.createTopic("await", 1);
        try (var producer = producer(Map.of())) {
            send(producer, new ProducerRecord<>(topic, "k", "v"));
        }

        assertThat(broker.awaitRecords(topic, 1, Duration.ofSeconds(10))).hasSize(1);
        assertThatThrownBy(() -> broker.awaitRecords(topic, 2, Duration.ofMillis(300)))
                .isInstanceOf(ConditionTimeoutException.class)
                .hasMessageContaining("2 records")
                .hasMessageContaining("<1>");
    }

    @Test
    void aTopicIsNotCreatedByReadingIt() {
        assertThatThrownBy(() -> broker.records("never-created")).hasMessageContaining("never-created");
    }

    private KafkaProducer<String, String> producer(Map<String, Object> settings) {
        Map<String, Object> all = new java.util.HashMap<>(settings);
        all.put("bootstrap.servers", broker.bootstrapServers());
        return new KafkaProducer<>(all, new StringSerializer(), new StringSerializer());
    }

    private static void send(KafkaProducer<String, String> producer, ProducerRecord<String, String> record) {
        Future<?> unused = producer.send(record);
    }

    private static String value(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.value(), StandardCharsets.UTF_8);
    }
}
