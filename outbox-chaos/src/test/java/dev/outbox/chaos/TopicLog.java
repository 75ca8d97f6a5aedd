package dev.outbox.chaos;

import dev.outbox.testkit.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Reads a whole topic and keeps of every record what the check needs, so that a million of them fit into memory. */
final class TopicLog {

    /** Makes the broker write down when it took each record, by the clock that the database on this machine has too. */
    static final Map<String, String> TOPIC_SETTINGS = Map.of("message.timestamp.type", "LogAppendTime");

    private static final String EVENT_ID = "ce_id";
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private TopicLog() {}

    /** Returns the records, of transactions only those of committed ones, without their values. */
    static List<ConsumerRecord<byte[], byte[]>> read(KafkaBroker broker, String topic) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", broker.bootstrapServers(), "isolation.level", "read_committed");
        try (Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            Awaitility.await("end of topic " + topic)
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .atMost(LIMIT)
                    .until(() -> {
                        consumer.poll(POLL).forEach(record -> records.add(withoutValue(record)));
                        return ends.entrySet().stream()
                                .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
                    });
            return records;
        }
    }

    static @Nullable String eventId(ConsumerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(EVENT_ID);
        return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    static @Nullable String aggregate(ConsumerRecord<byte[], byte[]> record) {
        return record.key() == null ? null : new String(record.key(), StandardCharsets.UTF_8);
    }

    private static ConsumerRecord<byte[], byte[]> withoutValue(ConsumerRecord<byte[], byte[]> record) {
        Header id = record.headers().lastHeader(EVENT_ID);
        return new ConsumerRecord<>(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.timestampType(),
                record.serializedKeySize(),
                0,
                record.key(),
                new byte[0],
                id == null ? new RecordHeaders() : new RecordHeaders(List.of(id)),
                Optional.empty());
    }
}
