package dev.outbox.inbox.kafka;

import dev.outbox.testkit.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A topic of the shared broker, its dead-letter topic, and what a test does with them. */
final class TestTopic implements AutoCloseable {

    static final Duration LIMIT = Duration.ofSeconds(30);
    static final String JSON = "{\"orderId\":\"o-1\",\"amountCents\":4200}";

    private final KafkaBroker broker = KafkaBroker.shared();
    private final String name;
    private final Admin admin = Admin.create(Map.of("bootstrap.servers", (Object) broker.bootstrapServers()));
    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of(
                    ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                    broker.bootstrapServers(),
                    ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                    4 * 1024 * 1024),
            new ByteArraySerializer(),
            new ByteArraySerializer());

    private TestTopic(String name) {
        this.name = name;
    }

    /** Creates a topic without a dead-letter topic. */
    static TestTopic create(int partitions) {
        return create(partitions, Map.of());
    }

    /** Creates a topic with settings of its own. */
    static TestTopic create(int partitions, Map<String, String> configs) {
        return new TestTopic(KafkaBroker.shared().createTopic("orders", partitions, configs));
    }

    /** Creates a topic with a dead-letter topic of one partition. */
    static TestTopic withDeadLetters(int partitions) {
        TestTopic topic = create(partitions);
        topic.createDeadLetterTopic();
        return topic;
    }

    String name() {
        return name;
    }

    void createDeadLetterTopic() {
        await(admin.createTopics(List.of(new NewTopic(deadLetterName(), 1, broker.replicas())))
                .all());
        Awaitility.await().atMost(LIMIT).ignoreExceptions().until(() -> broker.records(deadLetterName()) != null);
    }

    String deadLetterName() {
        return name + "-dlt";
    }

    /** Sends an event with a new id and returns that. */
    UUID send() {
        return send(UUID.randomUUID());
    }

    UUID send(UUID eventId) {
        send(0, eventId);
        return eventId;
    }

    void send(int partition, UUID eventId) {
        send(record(partition, JSON.getBytes(StandardCharsets.UTF_8), eventId.toString()));
    }

    ProducerRecord<byte[], byte[]> record(int partition, byte @Nullable [] value, @Nullable String eventId) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(name, partition, "k".getBytes(StandardCharsets.UTF_8), value);
        if (eventId != null) {
            record.headers().add("ce_id", eventId.getBytes(StandardCharsets.UTF_8));
        }
        return record;
    }

    /** Sends an event about an aggregate with a new id and returns that. */
    UUID sendAbout(String key) {
        UUID eventId = UUID.randomUUID();
        sendAbout(key, eventId);
        return eventId;
    }

    void sendAbout(String key, UUID eventId) {
        ProducerRecord<byte[], byte[]> record = record(0, JSON.getBytes(StandardCharsets.UTF_8), eventId.toString());
        send(new ProducerRecord<>(name, 0, key.getBytes(StandardCharsets.UTF_8), record.value(), record.headers()));
    }

    void send(ProducerRecord<byte[], byte[]> record) {
        await(producer.send(record));
    }

    List<ConsumerRecord<byte[], byte[]>> deadLetters() {
        return broker.records(deadLetterName());
    }

    List<ConsumerRecord<byte[], byte[]>> awaitDeadLetters(int count) {
        return broker.awaitRecords(deadLetterName(), count, LIMIT);
    }

    /** Returns the offset that a group has committed for partition 0, 0 if none. */
    long committed(String group) {
        OffsetAndMetadata offset = await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                .get(new TopicPartition(name, 0));
        return offset == null ? 0 : offset.offset();
    }

    /** Sends an event whose record is as old as this. */
    UUID send(Duration age) {
        UUID eventId = UUID.randomUUID();
        ProducerRecord<byte[], byte[]> young = record(0, JSON.getBytes(StandardCharsets.UTF_8), eventId.toString());
        send(new ProducerRecord<>(
                name, 0, System.currentTimeMillis() - age.toMillis(), young.key(), young.value(), young.headers()));
        return eventId;
    }

    /** Lets a group without members begin with partition 0 once more. */
    void rewind(String group) {
        Awaitility.await().atMost(LIMIT).ignoreExceptions().until(() -> {
            await(admin.alterConsumerGroupOffsets(group, Map.of(new TopicPartition(name, 0), new OffsetAndMetadata(0)))
                    .all());
            return true;
        });
    }

    boolean hasMembers(String group) {
        return !await(admin.describeConsumerGroups(List.of(group))
                        .describedGroups()
                        .get(group))
                .members()
                .isEmpty();
    }

    /** Returns the id of the only member of a group. */
    String onlyMember(String group) {
        return await(admin.describeConsumerGroups(List.of(group))
                        .describedGroups()
                        .get(group))
                .members()
                .iterator()
                .next()
                .consumerId();
    }

    /** Returns the instance ids of a group's static members. */
    List<String> instances(String group) {
        return await(admin.describeConsumerGroups(List.of(group))
                        .describedGroups()
                        .get(group))
                .members()
                .stream()
                .flatMap(member -> member.groupInstanceId().stream())
                .toList();
    }

    void awaitCommitted(String group, long offset) {
        Awaitility.await("offset " + offset + " of " + group)
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> committed(group) == offset);
    }

    private static <T> T await(@Nullable Future<T> future) {
        try {
            return Objects.requireNonNull(future).get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        producer.close();
        admin.close();
    }
}
