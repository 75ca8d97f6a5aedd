package dev.outbox.chaos.inbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Members of the groups that come for less than a second and leave again, one after the other in each group. They commit
 * nothing, so what they are assigned is left to the others.
 */
final class PassingMembers implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(50);
    private static final int LONGEST_STAY_MILLIS = 900;

    private final Map<String, Object> settings;
    private final String topic;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    PassingMembers(String bootstrapServers, String topic) {
        this.topic = topic;
        this.settings = Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "partition.assignment.strategy",
                CooperativeStickyAssignor.class.getName(),
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "earliest",
                "session.timeout.ms",
                2_000,
                "heartbeat.interval.ms",
                500);
    }

    PassingMembers start(List<String> groups, long seed) {
        groups.forEach(group -> {
            Random random = new Random(seed + group.hashCode());
            Thread thread = new Thread(() -> comeAndGo(group, random), "members-of-" + group);
            thread.start();
            threads.add(thread);
        });
        return this;
    }

    private void comeAndGo(String group, Random random) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("group.id", group);
        while (stopping.getCount() > 0) {
            long end = System.nanoTime() + random.nextInt(LONGEST_STAY_MILLIS) * 1_000_000L;
            try (Consumer<byte[], byte[]> member =
                    new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
                member.subscribe(List.of(topic));
                do {
                    member.poll(POLL);
                } while (stopping.getCount() > 0 && System.nanoTime() < end);
            }
        }
    }

    /** Returns when the last of them has left. */
    @Override
    public void close() {
        stopping.countDown();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
