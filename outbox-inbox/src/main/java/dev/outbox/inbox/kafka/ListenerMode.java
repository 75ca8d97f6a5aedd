package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ThreadFactory;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.adapter.MessagingMessageListenerAdapter;

/** How one listener's records are processed: one by one, in batches, or several at once. */
final class ListenerMode {

    private static final String MAX_POLL_INTERVAL = ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG;
    private static final Duration DEFAULT_MAX_POLL_INTERVAL = Duration.ofMinutes(5);

    private final MethodKafkaListenerEndpoint<?, ?> listener;
    private final ListenerOptions options;
    private final ConcurrentMessageListenerContainer<byte[], byte[]> container;
    private final Map<String, ?> consumerConfig;
    private final ConsumerName consumer;

    /**
     * @param consumerConfig the consumer's settings as they were configured
     */
    ListenerMode(
            MethodKafkaListenerEndpoint<?, ?> listener,
            ListenerOptions options,
            ConcurrentMessageListenerContainer<byte[], byte[]> container,
            Map<String, ?> consumerConfig) {
        ListenerContract.check(listener.getMethod(), options);
        this.listener = listener;
        this.options = options;
        this.container = container;
        this.consumerConfig = consumerConfig;
        this.consumer = new ConsumerName(Objects.requireNonNull(listener.getId()));
    }

    ConsumerName consumer() {
        return consumer;
    }

    String group() {
        String group = container.getGroupId();
        return group == null ? consumer.value() : group;
    }

    /** Returns what calls the method. */
    @SuppressWarnings("unchecked") // the consumer's deserializers are forced
    EventHandler handler(ListenerReading reading) {
        if (options.batch() && EventListArguments.areTakenBy(listener.getMethod())) {
            return new ListHandler(consumer, listener, reading.payloads());
        }
        Object adapter =
                Objects.requireNonNull(container.getContainerProperties().getMessageListener());
        if (adapter instanceof MessagingMessageListenerAdapter<?, ?> messages) {
            messages.setMessageConverter(new EventMessages(reading.reader()));
        }
        return EventHandler.each((AcknowledgingConsumerAwareMessageListener<byte[], byte[]>) adapter);
    }

    /** With one transaction each, but several at once, more records are well under a poll interval too. */
    private void pollMoreRecords(ContainerProperties properties) {
        String setting = ConsumerConfig.MAX_POLL_RECORDS_CONFIG;
        Properties overrides = properties.getKafkaConsumerProperties();
        if (consumerConfig.get(setting) == null && overrides.getProperty(setting) == null) {
            Properties more = new Properties();
            overrides.stringPropertyNames().forEach(name -> more.setProperty(name, overrides.getProperty(name)));
            more.setProperty(setting, String.valueOf(ForcedConsumerSettings.DEFAULT_MAX_POLL_RECORDS_IN_PARALLEL));
            properties.setKafkaConsumerProperties(more);
        }
    }

    /** Gives the container its listener and its error handler. */
    void apply(EventProcessor processor, RecordFailures failures, ThreadFactory workerThreads) {
        ContainerProperties properties = container.getContainerProperties();
        PollWatch watch = new PollWatch(consumer, maxPollInterval(), new LastPoll());
        if (options.batch()) {
            properties.setMessageListener(new BatchListener(processor, failures.known(), watch));
            BatchReplay replay = new BatchReplay(consumer, processor, failures, watch);
            container.setCommonErrorHandler(new FailedRecordHandler(consumer, failures, replay));
        } else if (options.parallelism() > 1) {
            pollMoreRecords(properties);
            ParallelListener parallel = new ParallelListener(
                    processor,
                    failures,
                    new KeyedWorkers(options.parallelism(), workerThreads),
                    container::isRunning,
                    watch);
            properties.setMessageListener(parallel);
            container.setCommonErrorHandler(new FailedRecordHandler(consumer, failures, parallel));
        } else {
            properties.setMessageListener(new IdempotentRecordListener(processor, watch));
            container.setCommonErrorHandler(new FailedRecordHandler(consumer, failures));
        }
        properties.setConsumerRebalanceListener(
                new RevokedPartitions(consumer, failures.known(), properties.getConsumerRebalanceListener()));
    }

    private Duration maxPollInterval() {
        Object override =
                container.getContainerProperties().getKafkaConsumerProperties().getProperty(MAX_POLL_INTERVAL);
        Object configured = override == null ? consumerConfig.get(MAX_POLL_INTERVAL) : override;
        return configured == null
                ? DEFAULT_MAX_POLL_INTERVAL
                : Duration.ofMillis(Long.parseLong(configured.toString()));
    }
}
