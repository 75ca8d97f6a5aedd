package dev.outbox.inbox.kafka;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

/**
 * Makes up for commits that a rebalance has put off, before the consumer polls again.
 *
 * <p>A container does so after it has polled. If the commit fails then, it drops what it has polled, and goes on behind
 * that. So it is never told of a rebalance: from where it stands, such a commit has succeeded. Until it really has, the
 * records can come again, as duplicates.
 */
final class PostponedCommits implements InvocationHandler {

    private static final Logger LOG = LoggerFactory.getLogger(PostponedCommits.class);

    private final Consumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, OffsetAndMetadata> postponed = new HashMap<>();
    private Duration timeout = Duration.ZERO;

    private PostponedCommits(Consumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
    }

    /** Makes consumers for containers that commit with a timeout. */
    static ConsumerFactory<byte[], byte[]> consumerFactory(Map<String, Object> configuration) {
        DefaultKafkaConsumerFactory<byte[], byte[]> consumers = new DefaultKafkaConsumerFactory<>(configuration);
        consumers.addPostProcessor(PostponedCommits::of);
        return consumers;
    }

    @SuppressWarnings("unchecked")
    static Consumer<byte[], byte[]> of(Consumer<byte[], byte[]> consumer) {
        return (Consumer<byte[], byte[]>) Proxy.newProxyInstance(
                PostponedCommits.class.getClassLoader(),
                new Class<?>[] {Consumer.class},
                new PostponedCommits(consumer));
    }

    @Override
    @SuppressWarnings("unchecked")
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals("poll")) {
            makeUp();
        } else if (method.getName().equals("commitSync") && arguments != null && arguments.length == 2) {
            commit((Map<TopicPartition, OffsetAndMetadata>) arguments[0], (Duration) arguments[1]);
            return null;
        }
        try {
            return method.invoke(consumer, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private void commit(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        this.timeout = timeout;
        try {
            consumer.commitSync(offsets, timeout);
            postponed.keySet().removeAll(offsets.keySet());
        } catch (RebalanceInProgressException e) {
            LOG.debug("A rebalance puts off the commit of {}", offsets, e);
            postponed.putAll(offsets);
        }
    }

    private void makeUp() {
        postponed.keySet().retainAll(consumer.assignment());
        if (!postponed.isEmpty()) {
            try {
                commit(Map.copyOf(postponed), timeout);
            } catch (CommitFailedException e) {
                LOG.debug("The group has gone on without this consumer; {} comes again, as duplicates", postponed, e);
                postponed.clear();
            }
        }
    }
}
