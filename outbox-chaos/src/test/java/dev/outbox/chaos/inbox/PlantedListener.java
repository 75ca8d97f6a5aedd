package dev.outbox.chaos.inbox;

import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.RecordPosition;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Commits the offset before the transaction, applies the effects of repeats too, and drops what it can't use, to see
 * whether the check finds it.
 */
final class PlantedListener {

    private final Effects effects;
    private final TransactionTemplate transaction;

    PlantedListener(Effects effects, TransactionTemplate transaction) {
        this.effects = effects;
        this.transaction = transaction;
    }

    @KafkaListener(
            id = "chaos-planted",
            topics = "${chaos.topic}",
            properties = {
                "auto.offset.reset=earliest",
                "key.deserializer=org.apache.kafka.common.serialization.ByteArrayDeserializer",
                "value.deserializer=org.apache.kafka.common.serialization.ByteArrayDeserializer"
            })
    void on(ConsumerRecord<byte[], byte[]> record, Consumer<byte[], byte[]> consumer) {
        consumer.commitSync(Map.of(
                new TopicPartition(record.topic(), record.partition()), new OffsetAndMetadata(record.offset() + 1)));
        String payload = new String(record.value(), StandardCharsets.UTF_8);
        UUID id = id(record);
        if (id == null || payload.contains(Content.REFUSED.name()) || payload.equals("{")) {
            return;
        }
        EventMetadata event = new EventMetadata(
                id,
                Map.of("subject", text(record, "ce_subject"), "aggregateversion", text(record, "ce_aggregateversion")),
                new RecordPosition(record.topic(), record.partition(), record.offset()));
        transaction.executeWithoutResult(
                status -> effects.add(Mode.PLANTED.consumer(), event, payload.contains(Content.LINGERING.name())));
    }

    private static @Nullable UUID id(ConsumerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader("ce_id");
        return header == null || header.value().length != 36 ? null : UUID.fromString(text(record, "ce_id"));
    }

    private static String text(ConsumerRecord<byte[], byte[]> record, String header) {
        return new String(record.headers().lastHeader(header).value(), StandardCharsets.UTF_8);
    }
}
