package dev.outbox.inbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.inbox.DeadLetterSettings;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.RetrySettings;
import dev.outbox.testkit.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ParallelModeIT {

    private static final RetrySettings ENDLESS =
            new RetrySettings(Integer.MAX_VALUE, Duration.ofMillis(20), Duration.ofMillis(100));

    private final InboxDatabase database =
            InboxDatabase.in(PostgresServer.shared().createDatabase());
    private final TestTopic topic = TestTopic.create(1);
    private final InboxApplication application = application();

    private InboxApplication application() {
        return InboxApplication.on(database)
                .property("topic", topic.name())
                .settings(InboxApplication.settings(ENDLESS, DeadLetterSettings.defaults()));
    }

    @AfterEach
    void close() {
        application.close();
        topic.close();
        database.close();
    }

    @Test
    void keysAreProcessedAtOnceAndTheEventsOfAKeyInOrder() {
        Map<String, List<Long>> offsets = new ConcurrentHashMap<>();
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        for (int i = 0; i < 120; i++) {
            UUID event = topic.sendAbout("k" + i % 8);
            if (i % 10 == 0) {
                topic.sendAbout("k" + i % 8, event);
            }
        }
        application.handle(
                (record, effects) -> {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    offsets.computeIfAbsent(key(record), key -> new CopyOnWriteArrayList<>())
                            .add(record.offset());
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(3_000_000));
                    now.decrementAndGet();
                },
                Modes.Parallel.class);

        topic.awaitCommitted(Modes.PARALLEL, 132);
        assertThat(offsets).hasSize(8);
        assertThat(offsets.values()).allSatisfy(one -> assertThat(one).isSorted());
        assertThat(database.effects()).isEqualTo(120);
        assertThat(database.count("SELECT count(DISTINCT xmin::text) FROM effect"))
                .isEqualTo(120);
        assertThat(most).hasValueBetween(2, 4);
        assertThat(application.observed().count("duplicate parallel")).isEqualTo(12);
    }

    @Test
    void aFailingKeyHoldsUpItselfOnlyAndTheOffset() {
        AtomicBoolean mended = new AtomicBoolean();
        List<Long> ofBadKey = new CopyOnWriteArrayList<>();
        List<UUID> others = new ArrayList<>();
        topic.sendAbout("good");
        UUID bad = topic.sendAbout("bad");
        UUID behind = topic.sendAbout("bad");
        for (int i = 0; i < 10; i++) {
            others.add(topic.sendAbout("good" + i % 3));
        }
        application.handle(
                (record, effects) -> {
                    if (key(record).equals("bad")) {
                        ofBadKey.add(record.offset());
                        if (!mended.get()) {
                            throw new IllegalStateException("no stock");
                        }
                    }
                },
                Modes.Parallel.class);

        await().atMost(TestTopic.LIMIT).until(() -> application.observed().count("failed parallel") >= 3);
        assertThat(others).allMatch(event -> database.effects(event) == 1);
        assertThat(database.effects(behind)).isZero();
        assertThat(topic.committed(Modes.PARALLEL)).isEqualTo(1);
        assertThat(ofBadKey).containsOnly(1L);
        mended.set(true);

        topic.awaitCommitted(Modes.PARALLEL, 13);
        assertThat(ofBadKey).endsWith(1L, 2L);
        assertThat(database.effects(bad)).isEqualTo(1);
        assertThat(database.effects()).isEqualTo(13);
    }

    @Test
    void severalFailingKeysAreDeadLetteredEachForItself() {
        for (int i = 0; i < 12; i++) {
            topic.sendAbout("k" + i % 6);
        }
        application
                .settings(InboxApplication.settings(InboxApplication.QUICK, DeadLetterSettings.defaults()))
                .handle(
                        (record, effects) -> {
                            if (record.offset() < 3) {
                                throw new IllegalStateException("no stock");
                            }
                        },
                        Modes.Parallel.class);

        topic.awaitCommitted(Modes.PARALLEL, 12);
        assertThat(database.deadLetters()).isEqualTo(3);
        assertThat(database.effects()).isEqualTo(9);
        assertThat(application.observed().count("failed parallel")).isEqualTo(3L * InboxApplication.QUICK.attempts());
    }

    /** A stop in the middle of a poll leaves what a kill would: effects that are ahead of the offset. */
    @Test
    void theOffsetWaitsForTheSlowestRecordAndAStopOnlyForWhatIsUnderWay() {
        CountDownLatch leave = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(2);
        AtomicInteger calls = new AtomicInteger();
        for (int i = 0; i < 40; i++) {
            topic.sendAbout(i == 3 ? "slow" : i < 22 ? "early" : "late");
        }
        application
                .property("workers", "2")
                .handle(
                        (record, effects) -> {
                            calls.incrementAndGet();
                            if (record.offset() == 3 || record.offset() == 25) {
                                held.countDown();
                                awaitLatch(leave);
                            }
                        },
                        Modes.Parallel.class);

        awaitLatch(held);
        await().atMost(TestTopic.LIMIT).until(() -> database.effects() == calls.get() - 2);
        long done = database.effects();
        assertThat(done).isGreaterThanOrEqualTo(20);
        assertThat(topic.committed(Modes.PARALLEL)).isZero();
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(application::close);
        await().atMost(TestTopic.LIMIT).until(application::isStopping);
        leave.countDown();
        stopped.join();

        assertThat(calls).hasValue((int) done + 2);
        assertThat(database.effects()).isEqualTo(done + 2);
        assertThat(topic.committed(Modes.PARALLEL)).isEqualTo(26);
        try (InboxApplication next = application()) {
            next.handle((record, effects) -> {}, Modes.Parallel.class);
            topic.awaitCommitted(Modes.PARALLEL, 40);
        }
        assertThat(database.effects()).isEqualTo(40);
        assertThat(database.count("SELECT count(DISTINCT event_id) FROM effect"))
                .isEqualTo(40);
    }

    private static String key(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.key(), StandardCharsets.UTF_8);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
