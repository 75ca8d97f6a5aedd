package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.RecordPosition;
import dev.outbox.inbox.StopConsumerException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.kafka.listener.ListenerUtils;
import org.springframework.kafka.listener.MessageListenerContainer;

/** Stops the container of a consumer that must not go on. */
final class ConsumerStop {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerStop.class);
    private static final int MAX_DEPTH = 50;
    private static final long LONGEST_WAIT_MS = 10_000;

    private final ConsumerName consumerName;
    private final InboxListener listener;
    private final TaskExecutor executor;

    ConsumerStop(ConsumerName consumerName, InboxListener listener) {
        this.consumerName = consumerName;
        this.listener = listener;
        this.executor = new SimpleAsyncTaskExecutor("inbox-stop-");
    }

    /** Returns what asks for the stop, if that is what a failure means. */
    static @Nullable StopConsumerException demandedBy(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
            if (cause instanceof StopConsumerException stop) {
                return stop;
            }
            cause = cause.getCause();
        }
        return null;
    }

    /** Stops the container before a record. It does not poll any more when this returns. */
    void before(RecordPosition position, StopConsumerException reason, MessageListenerContainer container) {
        if (!container.isRunning()) {
            return;
        }
        LOG.error(
                "Consumer '{}' stops before {} and stays stopped until its container is started again, or the"
                        + " application: {}",
                consumerName,
                position,
                reason.getMessage());
        listener.stopped(consumerName.value(), position, reason);
        // A stop waits for the consuming thread, which is this one.
        executor.execute(container::stop);
        try {
            ListenerUtils.stoppableSleep(container, LONGEST_WAIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
