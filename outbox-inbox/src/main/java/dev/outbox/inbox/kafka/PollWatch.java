package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees when the records of a poll take so long that the consumer may be thrown out of its group before the next one, and
 * says so once until polls are fast again. Thread-safe, if each consumer has one thread.
 */
final class PollWatch {

    private static final Logger LOG = LoggerFactory.getLogger(PollWatch.class);

    private final ConsumerName consumerName;
    private final Duration interval;
    private final ToLongFunction<Consumer<?, ?>> sincePoll;
    private final Map<Consumer<?, ?>, Poll> polls = Collections.synchronizedMap(new WeakHashMap<>());

    /**
     * @param interval the consumer's {@code max.poll.interval.ms}
     * @param sincePoll time since a consumer's last poll in ms, 0 if unknown
     */
    PollWatch(ConsumerName consumerName, Duration interval, ToLongFunction<Consumer<?, ?>> sincePoll) {
        this.consumerName = consumerName;
        this.interval = interval;
        this.sincePoll = sincePoll;
    }

    /** Takes note that records have been processed. */
    void processed(int records, @Nullable Consumer<?, ?> consumer) {
        if (consumer == null) {
            return;
        }
        long elapsed = sincePoll.applyAsLong(consumer);
        Poll poll = polls.computeIfAbsent(consumer, unknown -> new Poll());
        poll.add(records, elapsed, isLong(elapsed));
        if (isLong(elapsed) && !poll.told) {
            poll.told = true;
            LOG.warn(
                    "Consumer '{}' has spent {} ms on {} record(s) since its last poll, more than half of {} = {}."
                            + " Beyond it the consumer is thrown out of its group and the records go to another one, as"
                            + " duplicates. Lower {}, or make the handler faster, or raise the interval",
                    consumerName,
                    elapsed,
                    poll.records,
                    ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG,
                    interval.toMillis(),
                    ConsumerConfig.MAX_POLL_RECORDS_CONFIG);
        }
    }

    /** Whether half of the interval has passed, so that what is left waits for the next poll. */
    boolean isPollDue(Consumer<?, ?> consumer) {
        return isLong(sincePoll.applyAsLong(consumer));
    }

    private boolean isLong(long elapsed) {
        return elapsed * 2 > interval.toMillis();
    }

    private static final class Poll {

        private int records;
        private long elapsed;
        private boolean lasted;
        private boolean told;

        private void add(int more, long sincePoll, boolean isLong) {
            if (sincePoll < elapsed) {
                told = told && lasted;
                records = 0;
            }
            records += more;
            elapsed = sincePoll;
            lasted = isLong;
        }
    }
}
