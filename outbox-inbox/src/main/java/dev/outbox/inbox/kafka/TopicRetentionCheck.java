package dev.outbox.inbox.kafka;

import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.OutsideWindow;
import dev.outbox.inbox.RetentionCheck;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;

/**
 * Compares how long the consumed topics keep their records with how long the inbox remembers them, once, when the
 * application starts. It starts before the listeners. See {@link RetentionCheck} for what it does then.
 */
public final class TopicRetentionCheck implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(TopicRetentionCheck.class);
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    private final IdempotentListenerContainerFactory factory;
    private final InboxSettings settings;
    private final Map<String, ?> connection;
    private final Set<String> known = new HashSet<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private @Nullable Thread thread;

    /**
     * @param factory of the listeners whose topics are looked at
     * @param settings of the inbox
     * @param connection Kafka settings, of which addresses and security are used
     */
    public TopicRetentionCheck(
            IdempotentListenerContainerFactory factory, InboxSettings settings, Map<String, ?> connection) {
        this.factory = factory;
        this.settings = settings;
        this.connection = connection;
    }

    /**
     * @throws IllegalStateException if a topic keeps records for too long and the settings say that this stops the start
     */
    @Override
    public synchronized void start() {
        RetentionCheck check = settings.window().check();
        List<Subscription> subscriptions = factory.subscriptions();
        if (check == RetentionCheck.NONE || subscriptions.isEmpty() || stopping.getCount() == 0 || thread != null) {
            return;
        }
        TopicConfigs topics = new TopicConfigs(connection, subscriptions);
        if (check == RetentionCheck.FAIL && isSettled(topics, subscriptions)) {
            return;
        }
        Thread asking = new Thread(() -> askUntilSettled(topics, subscriptions), "inbox-retention-check");
        asking.setDaemon(true);
        asking.start();
        thread = asking;
    }

    private boolean isSettled(TopicConfigs topics, List<Subscription> subscriptions) {
        try {
            TopicConfigs.Answer answer = topics.ask(LIMIT, known);
            String refusal = answer.retentions().stream()
                    .filter(topic -> isTooLong(topic) && (!topic.isWithoutEnd() || isProcessed(topic, subscriptions)))
                    .map(this::describe)
                    .sorted()
                    .collect(Collectors.joining("; "));
            if (!refusal.isEmpty()) {
                throw new IllegalStateException(refusal + ". Or let outbox.inbox.window.check be WARN");
            }
            tell(answer, subscriptions);
            return answer.complete();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void askUntilSettled(TopicConfigs topics, List<Subscription> subscriptions) {
        Duration pause = FIRST_PAUSE;
        try {
            TopicConfigs.Answer answer = topics.ask(LIMIT, known);
            tell(answer, subscriptions);
            while (!answer.complete()) {
                if (stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
                answer = topics.ask(LIMIT, known);
                tell(answer, subscriptions);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("It could not be found out for how long the topics keep their records", e);
        }
    }

    private void tell(TopicConfigs.Answer answer, List<Subscription> subscriptions) {
        answer.forbidden().forEach(topic -> {
            known.add(topic);
            LOG.info(
                    "The broker does not tell this user for how long topic {} keeps its records, so that is not compared"
                            + " with the inbox's retention. Grant DescribeConfigs on the topic, or set"
                            + " outbox.inbox.window.check=NONE",
                    topic);
        });
        for (TopicRetention topic : answer.retentions()) {
            known.add(topic.topic());
            if (topic.isWithoutEnd() && !isProcessed(topic, subscriptions)) {
                LOG.info("{}", describe(topic));
            } else if (isTooLong(topic)) {
                LOG.warn("{}", describe(topic));
            }
        }
    }

    private boolean isTooLong(TopicRetention topic) {
        return topic.outlasts(settings.purge().retention(), settings.window().longestRedrive());
    }

    /** Whether a listener would process events of the topic that the inbox may have forgotten. */
    private static boolean isProcessed(TopicRetention topic, List<Subscription> subscriptions) {
        return subscriptions.stream()
                .anyMatch(subscription ->
                        subscription.reads(topic.topic()) && subscription.outsideWindow() == OutsideWindow.PROCESS);
    }

    private String describe(TopicRetention topic) {
        String inbox = DurationText.of(settings.purge().retention());
        if (topic.isWithoutEnd()) {
            return "Topic " + topic.topic() + " keeps records without end, and the inbox remembers " + inbox
                    + " (outbox.inbox.purge.retention): if they are read again from the beginning, older events are not"
                    + " known to be duplicates, and outsideWindow (outbox.inbox.window.outside) decides about them";
        }
        Duration redrive = settings.window().longestRedrive();
        return "Topic " + topic.topic() + " keeps records for "
                + DurationText.of(Duration.ofMillis(topic.milliseconds())) + " (retention.ms=" + topic.milliseconds()
                + ") and a redrive may follow within " + DurationText.of(redrive) + ", but the inbox remembers only "
                + inbox
                + ": what it has forgotten would be applied again. Set outbox.inbox.purge.retention to at least "
                + topic.needed(redrive).plusHours(1).minusMillis(1).toHours() + "h";
    }

    @Override
    public synchronized void stop() {
        stopping.countDown();
        Thread asking = thread;
        thread = null;
        if (asking != null) {
            asking.interrupt();
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return thread != null && thread.isAlive();
    }

    /** Before the listeners, so that none of them has processed anything when the start is refused. */
    @Override
    public int getPhase() {
        return AbstractMessageListenerContainer.DEFAULT_PHASE - 1;
    }
}
