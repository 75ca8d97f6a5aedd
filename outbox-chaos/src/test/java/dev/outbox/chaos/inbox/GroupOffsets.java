package dev.outbox.chaos.inbox;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** The committed offsets of consumer groups on one topic. */
final class GroupOffsets implements AutoCloseable {

    private final String topic;
    private final int partitions;
    private final Admin admin;

    GroupOffsets(String bootstrapServers, String topic, int partitions) {
        this.topic = topic;
        this.partitions = partitions;
        this.admin = Admin.create(Map.of(
                "bootstrap.servers",
                (Object) bootstrapServers,
                "request.timeout.ms",
                3_000,
                "default.api.timeout.ms",
                5_000,
                "reconnect.backoff.max.ms",
                200));
    }

    /**
     * Returns the offset of each partition, 0 where none is committed.
     *
     * @throws IllegalStateException if the brokers don't answer now
     */
    long[] committed(String group) {
        long[] offsets = new long[partitions];
        try {
            Map<TopicPartition, OffsetAndMetadata> answer = Objects.requireNonNull(admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get());
            answer.forEach((partition, offset) -> {
                if (partition.topic().equals(topic) && offset != null) {
                    offsets[partition.partition()] = offset.offset();
                }
            });
        } catch (ExecutionException e) {
            throw new IllegalStateException("No offsets of group " + group, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
        return offsets;
    }

    @Override
    public void close() {
        admin.close();
    }
}
