package dev.outbox.inbox.kafka;

import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Tells what a consumer polls and commits. Public because Kafka makes it; not for use. */
public final class LagInterceptor implements ConsumerInterceptor<byte[], byte[]> {

    private @Nullable PartitionLags lags;
    private String consumer = "";

    @Override
    public void configure(Map<String, ?> configs) {
        lags = configs.get(PartitionLags.LAGS) instanceof PartitionLags configured ? configured : null;
        consumer = Objects.toString(configs.get(PartitionLags.CONSUMER), "");
    }

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
        if (lags != null) {
            lags.delivered(consumer, records);
        }
        return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        if (lags != null) {
            lags.committed(consumer, offsets);
        }
    }

    @Override
    public void close() {}
}
