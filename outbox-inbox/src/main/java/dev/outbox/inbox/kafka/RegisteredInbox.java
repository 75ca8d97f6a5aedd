package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.ConsumerRegistry;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.Intake;
import dev.outbox.inbox.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The inbox as the listener of one Kafka group uses it: nothing is looked up or processed before it is sure that no other
 * group uses the consumer's name. Otherwise this one would skip what the other has processed. Thread-safe.
 */
final class RegisteredInbox implements Inbox {

    private static final Duration LONGEST_REFRESH = Duration.ofHours(1);

    private final Inbox inbox;
    private final ConsumerRegistry consumers;
    private final String group;
    private final Duration refresh;
    private volatile @Nullable Long registeredAt;

    /**
     * @param retention how long the inbox remembers; the registration is repeated well within it
     */
    RegisteredInbox(Inbox inbox, ConsumerRegistry consumers, String group, Duration retention) {
        this.inbox = inbox;
        this.consumers = consumers;
        this.group = group;
        Duration quarter = retention.dividedBy(4);
        this.refresh = quarter.compareTo(LONGEST_REFRESH) < 0 ? quarter : LONGEST_REFRESH;
    }

    @Override
    public <E extends Exception> Map<UUID, Verdict> process(
            ConsumerName consumer, List<UUID> eventIds, Intake<E> intake) throws E {
        Long last = registeredAt;
        if (last == null || System.nanoTime() - last >= refresh.toNanos()) {
            register(consumer);
        }
        return inbox.process(consumer, eventIds, intake);
    }

    /**
     * @throws dev.outbox.inbox.ConsumerNameClashException if another group uses the name
     * @throws dev.outbox.inbox.InboxUnavailableException if the database cannot tell; it is asked again before the next
     *     event
     */
    void register(ConsumerName consumer) {
        consumers.register(consumer, group);
        registeredAt = System.nanoTime();
    }

    @Override
    public void checkTransactionManager() {
        inbox.checkTransactionManager();
    }
}
