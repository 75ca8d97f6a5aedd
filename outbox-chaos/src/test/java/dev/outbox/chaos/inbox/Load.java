package dev.outbox.chaos.inbox;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends events at an even pace: of ten records one repeats an earlier one, of a hundred events one is poison.
 *
 * <p>It is the only producer of its topic and waits for an outage to end however long, so it knows the offset of a record
 * before the broker does, and whoever compares offsets with the database knows every record that a consumer can have seen.
 */
final class Load implements AutoCloseable {

    private static final int AGGREGATES = 60;
    private static final int REMEMBERED = 300;
    private static final double REPEATED = 0.1;
    private static final int POISON = 100;
    private static final int LINGERING = 40;
    private static final List<Content> POISONS =
            List.of(Content.UNREADABLE, Content.WITHOUT_ID, Content.REFUSED, Content.WITH_BAD_ID);

    private final String topic;
    private final SentRecords sent;
    private final Duration pause;
    private final Random random;
    private final Producer<byte[], byte[]> producer;
    private final long[] versions = new long[AGGREGATES];
    private final List<Message> remembered = new ArrayList<>();
    private final AtomicInteger slow = new AtomicInteger();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "load");
    private int events;

    /**
     * @param pause between two records
     */
    Load(String bootstrapServers, String topic, SentRecords sent, long seed, Duration pause) {
        this.topic = topic;
        this.sent = sent;
        this.pause = pause;
        this.random = new Random(seed);
        this.producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "delivery.timeout.ms",
                        Integer.MAX_VALUE,
                        "request.timeout.ms",
                        3_000,
                        "max.in.flight.requests.per.connection",
                        1,
                        "linger.ms",
                        0),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    void start() {
        thread.start();
    }

    /** Lets the next event be one whose handler is slow. */
    void sendSlow() {
        slow.incrementAndGet();
    }

    /**
     * Sends no more, and returns when the broker has everything.
     *
     * @throws IllegalStateException if it put a record anywhere else than it should, so that nothing can be checked
     */
    void stop() {
        stopping.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.flush();
        Exception cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException("The load did not reach the topic as it should", cause);
        }
    }

    private void run() {
        try {
            while (stopping.getCount() > 0 && failure.get() == null) {
                boolean repeats = !remembered.isEmpty() && random.nextDouble() < REPEATED;
                send(repeats ? remembered.get(random.nextInt(remembered.size())) : next(), repeats);
                stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Message next() {
        int aggregate = random.nextInt(AGGREGATES);
        Message message = new Message(
                new UUID(random.nextLong(), random.nextLong()), aggregate, ++versions[aggregate], content());
        if (remembered.size() < REMEMBERED) {
            remembered.add(message);
        } else {
            remembered.set(random.nextInt(REMEMBERED), message);
        }
        return message;
    }

    private Content content() {
        int number = ++events;
        if (number % POISON == POISON / 2) {
            return POISONS.get(number / POISON % POISONS.size());
        }
        if (slow.get() > 0) {
            slow.decrementAndGet();
            return Content.SLOW;
        }
        return number % LINGERING == 0 ? Content.LINGERING : Content.PLAIN;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the same result
    private void send(Message message, boolean repeats) {
        int partition = message.aggregate % sent.partitions();
        SentRecord record = message.at(partition, sent.end(partition), repeats);
        sent.add(record);
        producer.send(message.record(topic, partition), (metadata, exception) -> {
            if (exception != null) {
                failure.compareAndSet(null, exception);
            } else if (metadata.offset() != record.offset()) {
                failure.compareAndSet(
                        null, new IllegalStateException(record + " was put at offset " + metadata.offset()));
            }
        });
    }

    @Override
    public void close() {
        stopping.countDown();
        producer.close(Duration.ZERO);
    }

    private record Message(UUID id, int aggregate, long version, Content content) {

        private SentRecord at(int partition, long offset, boolean repeats) {
            return new SentRecord(
                    partition, offset, content.hasId() ? id.toString() : null, key(), version, content, repeats);
        }

        private ProducerRecord<byte[], byte[]> record(String topic, int partition) {
            String payload = content == Content.UNREADABLE ? "{" : "{\"content\":\"%s\"}".formatted(content);
            ProducerRecord<byte[], byte[]> record =
                    new ProducerRecord<>(topic, partition, bytes(key()), bytes(payload));
            if (content != Content.WITHOUT_ID) {
                record.headers().add("ce_id", bytes(content == Content.WITH_BAD_ID ? "none" : id.toString()));
            }
            record.headers().add("ce_subject", bytes(key())).add("ce_aggregateversion", bytes(Long.toString(version)));
            return record;
        }

        private String key() {
            return "a" + aggregate;
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
