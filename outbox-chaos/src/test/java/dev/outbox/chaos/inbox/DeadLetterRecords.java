package dev.outbox.chaos.inbox;

import dev.outbox.testkit.KafkaBroker;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.KafkaHeaders;

/**
 * The dead-letter topic of a topic. A copy may stand there twice, because a consumer may die after it was written, and
 * each repeat of an event is copied; here each event and each record without an id comes once.
 */
final class DeadLetterRecords implements DeadLetters {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final TopicPartition partition;
    private final Consumer<byte[], byte[]> consumer;
    private final Map<Object, DeadLetter> found = new LinkedHashMap<>();

    private DeadLetterRecords(KafkaBroker broker, String name) {
        this.partition = new TopicPartition(name, 0);
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.bootstrapServers(),
                        "default.api.timeout.ms",
                        (int) LIMIT.toMillis(),
                        "request.timeout.ms",
                        (int) LIMIT.toMillis()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
    }

    /** Creates the topic of the dead letters of {@code topic}. */
    static DeadLetterRecords create(KafkaBroker broker, String topic) {
        String name = topic + "-dlt";
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(name, 1, broker.replicas())))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Could not create topic " + name, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while creating topic " + name, e);
        }
        return new DeadLetterRecords(broker, name);
    }

    @Override
    public synchronized List<DeadLetter> all() {
        long end =
                Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (consumer.position(partition) < end) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("Could not read " + partition + " to its end within " + LIMIT);
            }
            consumer.poll(POLL).forEach(this::add);
        }
        return List.copyOf(found.values());
    }

    private void add(ConsumerRecord<byte[], byte[]> copy) {
        DeadLetter letter = new DeadLetter(
                text(header(copy, KafkaHeaders.DLT_ORIGINAL_CONSUMER_GROUP)),
                eventId(copy),
                header(copy, KafkaHeaders.DLT_ORIGINAL_PARTITION).getInt(),
                header(copy, KafkaHeaders.DLT_ORIGINAL_OFFSET).getLong());
        found.putIfAbsent(letter.eventId() == null ? letter : List.of(letter.consumer(), letter.eventId()), letter);
    }

    private static @Nullable String eventId(ConsumerRecord<byte[], byte[]> copy) {
        Header header = copy.headers().lastHeader("ce_id");
        try {
            return header == null
                    ? null
                    : UUID.fromString(text(ByteBuffer.wrap(header.value()))).toString();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static ByteBuffer header(ConsumerRecord<byte[], byte[]> copy, String name) {
        return ByteBuffer.wrap(copy.headers().lastHeader(name).value());
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }

    @Override
    public synchronized void close() {
        consumer.close();
    }
}
