package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.EventPublisher.Availability;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GatesTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration TRIAL = Duration.ofSeconds(30);
    private final Exception noReplicas = new NotEnoughReplicasException("one left");
    private final Exception silence = new TimeoutException("no answer");

    private final Set<String> existing = ConcurrentHashMap.newKeySet();
    private final Set<String> blocking = ConcurrentHashMap.newKeySet();
    private final Set<Thread> askedBy = ConcurrentHashMap.newKeySet();
    private final CountDownLatch block = new CountDownLatch(1);
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicInteger reached = new AtomicInteger();
    private volatile boolean brokerAnswers = true;
    private final List<String> opened = new CopyOnWriteArrayList<>();
    private final List<String> probing = new CopyOnWriteArrayList<>();
    private volatile long now;
    private final Gates gates = gates(100);

    @AfterEach
    void close() {
        block.countDown();
        gates.close();
    }

    @Test
    void aTopicIsOpenOnceAQuestionOnAnotherThreadHasFoundIt() throws InterruptedException {
        find("orders");

        assertThat(gates.enter("orders")).isNotNull();
        assertThat(gates.enter("orders")).isNotNull();
        assertThat(askedBy).isNotEmpty().doesNotContain(Thread.currentThread());
        await().untilAsserted(() -> assertThat(opened).containsExactly("orders"));
    }

    @Test
    void aMissingTopicStaysClosedAndOpensOnceItIsThere() throws InterruptedException {
        gates.await(Set.of("orders"));
        assertThat(gates.enter("orders")).isNull();
        assertThat(gates.refusal("orders")).hasMessageContaining("orders").hasMessageContaining("not present");

        existing.add("orders");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(opened).containsExactly("orders"));
        assertThat(gates.enter("orders")).isNotNull();
    }

    @Test
    void waitsOnlyAMomentForATopicWhoseQuestionBlocksAndNotASecondTime() throws InterruptedException {
        blocking.add("slow");
        existing.add("fast");
        long start = System.nanoTime();
        gates.await(Set.of("slow", "fast"));
        Duration first = Duration.ofNanos(System.nanoTime() - start);

        assertThat(first).isBetween(Duration.ofMillis(900), Duration.ofSeconds(5));
        assertThat(gates.enter("fast")).isNotNull();
        assertThat(gates.enter("slow")).isNull();

        start = System.nanoTime();
        gates.await(Set.of("slow", "fast"));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(900));
    }

    @Test
    void topicsThatStayMissingKeepNoNewOneWaiting() throws InterruptedException {
        for (int i = 0; i < 8; i++) {
            gates.enter("missing" + i);
        }
        int asked = 16;
        await().atMost(LIMIT).until(() -> questions.get() >= asked);
        for (int i = 0; i < 8; i++) {
            blocking.add("missing" + i);
        }
        await().atMost(LIMIT).until(() -> askedBy.size() >= 8);
        find("orders");
        assertThat(gates.enter("orders")).isNotNull();
    }

    @Test
    void aListenerThatFailsHarmsNobody() throws InterruptedException {
        find("harmful");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(opened).containsExactly("harmful"));
        gates.failed(enter("harmful"), noReplicas);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(probing).containsExactly("harmful"));
        gates.acknowledged(enter("harmful"));
        assertThat(gates.availability()).isEqualTo(Availability.AVAILABLE);
    }

    @Test
    void aRefusedRecordClosesItsTopicAndOneRecordThenOpensIt() throws InterruptedException {
        find("orders");
        await().untilAsserted(() -> assertThat(opened).containsExactly("orders"));
        Pass pass = enter("orders");
        gates.failed(pass, noReplicas);
        gates.failed(pass, noReplicas);
        assertThat(gates.enter("orders")).isNull();
        assertThat(gates.refusal("orders")).hasMessageContaining("NotEnoughReplicas");

        await().atMost(LIMIT).untilAsserted(() -> assertThat(probing).containsExactly("orders"));
        Pass trial = enter("orders");
        assertThat(gates.enter("orders")).isNull();
        gates.acknowledged(trial);

        assertThat(gates.enter("orders")).isNotNull();
        assertThat(gates.enter("orders")).isNotNull();
        assertThat(opened).containsExactly("orders", "orders");
    }

    @Test
    void aFailedTrialClosesTheTopicForTheNextOne() throws InterruptedException {
        find("orders");
        gates.failed(enter("orders"), new TopicAuthorizationException("orders"));
        await().atMost(LIMIT).untilAsserted(() -> assertThat(probing).hasSize(1));
        gates.failed(enter("orders"), new TopicAuthorizationException("orders"));
        assertThat(gates.enter("orders")).isNull();

        await().atMost(LIMIT).untilAsserted(() -> assertThat(probing).hasSize(2));
        gates.acknowledged(enter("orders"));
        assertThat(gates.enter("orders")).isNotNull();
    }

    @Test
    void aTrialWhoseOutcomeIsLostDoesNotWedgeTheTopic() throws InterruptedException {
        find("orders");
        gates.failed(enter("orders"), noReplicas);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(probing).hasSize(1));
        Pass lost = enter("orders");
        assertThat(gates.availability()).isEqualTo(Availability.UNAVAILABLE);

        now = TRIAL.plusSeconds(1).toNanos();
        assertThat(gates.availability()).isEqualTo(Availability.PROBING);
        Pass second = enter("orders");
        gates.failed(lost, noReplicas);
        gates.acknowledged(second);
        assertThat(gates.availability()).isEqualTo(Availability.AVAILABLE);
    }

    @Test
    void aBadRecordDecidesNothing() throws InterruptedException {
        find("orders");
        gates.undecided(enter("orders"));
        assertThat(gates.enter("orders")).isNotNull();
        gates.failed(enter("orders"), noReplicas);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(probing).hasSize(1));

        gates.undecided(enter("orders"));
        gates.acknowledged(enter("orders"));
        assertThat(gates.enter("orders")).isNotNull();
    }

    @Test
    void availabilityIsThatOfTheBestTopic() throws InterruptedException {
        assertThat(gates.availability()).isEqualTo(Availability.AVAILABLE);
        gates.await(Set.of("missing"));
        assertThat(gates.availability()).isEqualTo(Availability.UNAVAILABLE);
        find("refusing");
        gates.failed(enter("refusing"), noReplicas);
        assertThat(gates.availability()).isEqualTo(Availability.UNAVAILABLE);
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(gates.availability()).isEqualTo(Availability.PROBING));
        find("orders");
        assertThat(gates.availability()).isEqualTo(Availability.AVAILABLE);
    }

    @Test
    void silenceOfOneTopicIsNoneOfTheCluster() throws InterruptedException {
        find("orders");
        find("silent");
        gates.failed(enter("silent"), silence);
        await().atMost(LIMIT).until(() -> reached.get() > 0);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(probing).contains("silent"));
        assertThat(gates.enter("orders")).isNotNull();
        assertThat(gates.availability()).isEqualTo(Availability.AVAILABLE);
    }

    @Test
    void anOutageOfTheClusterClosesAllAndEndsWithOneRecord() throws InterruptedException {
        find("orders");
        find("silent");
        find("refusing");
        gates.failed(enter("refusing"), noReplicas);
        brokerAnswers = false;
        gates.failed(enter("silent"), silence);
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(gates.availability()).isEqualTo(Availability.UNAVAILABLE));
        assertThat(gates.enter("orders")).isNull();
        assertThat(gates.refusal("orders")).hasMessageContaining("the broker takes none");
        probing.clear();
        opened.clear();

        brokerAnswers = true;
        await().atMost(LIMIT).untilAsserted(() -> assertThat(probing).contains("orders", "silent"));
        assertThat(gates.availability()).isEqualTo(Availability.PROBING);
        Pass trial = enter("orders");
        assertThat(gates.enter("silent")).isNull();
        assertThat(gates.availability()).isEqualTo(Availability.UNAVAILABLE);
        assertThat(opened).isEmpty();
        gates.acknowledged(trial);

        assertThat(gates.availability()).isEqualTo(Availability.AVAILABLE);
        assertThat(gates.enter("silent")).isNotNull();
        assertThat(gates.enter("silent")).isNotNull();
        assertThat(opened).contains("orders", "silent").doesNotContain("refusing");
    }

    @Test
    void aTrialThatMeetsSilenceAgainClosesTheClusterAgain() throws InterruptedException {
        find("orders");
        gates.closeAll(silence);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(probing).contains("orders"));
        gates.failed(enter("orders"), silence);
        assertThat(gates.availability()).isEqualTo(Availability.UNAVAILABLE);
        probing.clear();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(probing).contains("orders"));
        gates.acknowledged(enter("orders"));
        assertThat(gates.availability()).isEqualTo(Availability.AVAILABLE);
    }

    @Test
    void aTrialThatOnlyItsTopicRefusesOpensTheCluster() throws InterruptedException {
        find("orders");
        find("refusing");
        gates.closeAll(silence);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(probing).contains("orders", "refusing"));
        gates.failed(enter("refusing"), noReplicas);
        assertThat(gates.enter("orders")).isNotNull();
        assertThat(gates.enter("refusing")).isNull();
    }

    @Test
    void refusalByTheClusterStopsEveryTopicAtOnce() throws InterruptedException {
        find("orders");
        find("other");
        gates.failed(enter("orders"), new ClusterAuthorizationException("no"));
        assertThat(gates.enter("other")).isNull();
        assertThat(gates.availability()).isEqualTo(Availability.UNAVAILABLE);
    }

    @Test
    void aClusterThatIsDownWhenTheFirstTopicIsLookedForIsAnOutage() throws InterruptedException {
        brokerAnswers = false;
        gates.await(Set.of("orders"));
        existing.add("orders");
        await().atMost(LIMIT).until(() -> gates.refusal("orders").toString().contains("the broker takes none"));
        brokerAnswers = true;
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(gates.availability()).isEqualTo(Availability.PROBING));
        gates.acknowledged(enter("orders"));
        assertThat(gates.availability()).isEqualTo(Availability.AVAILABLE);
    }

    @Test
    void onlyTheTopicsUsedLastAreRemembered() throws InterruptedException {
        try (Gates few = gates(10)) {
            for (int i = 0; i < 50; i++) {
                existing.add("t" + i);
                few.await(Set.of("t" + i));
                assertThat(few.enter("t" + i)).isNotNull();
            }
            int before = questions.get();
            assertThat(few.enter("t49")).isNotNull();
            assertThat(questions).hasValue(before);
            few.await(Set.of("t0"));
            assertThat(few.enter("t0")).isNotNull();
            assertThat(questions).hasValue(before + 1);
        }
    }

    private void find(String topic) throws InterruptedException {
        existing.add(topic);
        gates.await(Set.of(topic));
    }

    private Pass enter(String topic) {
        Pass pass = gates.enter(topic);
        assertThat(pass).isNotNull();
        return Objects.requireNonNull(pass);
    }

    private Gates gates(int limit) {
        BrokerProbe probe = new BrokerProbe() {
            @Override
            public void find(String topic) {
                ask(topic);
            }

            @Override
            public void reach() {
                reached.incrementAndGet();
                if (!brokerAnswers) {
                    throw new TimeoutException("nobody there");
                }
            }
        };
        TopicListener listener = new TopicListener() {
            @Override
            public void opened(String topic) {
                opened.add(topic);
                if (topic.equals("harmful")) {
                    throw new IllegalStateException("the listener's");
                }
            }

            @Override
            public void probing(String topic) {
                probing.add(topic);
            }
        };
        return new Gates(probe, listener, TRIAL, limit, () -> now);
    }

    private void ask(String topic) {
        questions.incrementAndGet();
        askedBy.add(Thread.currentThread());
        if (blocking.contains(topic)) {
            try {
                block.await();
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }
        if (!brokerAnswers) {
            throw new TimeoutException("Topic " + topic + " not present in metadata");
        }
        if (!existing.contains(topic)) {
            throw new TimeoutException(
                    "Topic " + topic + " not present in metadata", new UnknownTopicOrPartitionException(topic));
        }
    }
}
