package dev.outbox.inbox.kafka;

import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.InboxSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.transaction.TransactionException;
import org.springframework.validation.Validator;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes the containers of {@link IdempotentListener} methods. It must be a bean named
 * {@value IdempotentListener#CONTAINER_FACTORY}.
 *
 * <p>Everything that spring-kafka's factory lets one set can be set, but for what the guarantee stands on: a container
 * is refused if a customizer or a consumer setting has changed that.
 */
public final class IdempotentListenerContainerFactory extends ConcurrentKafkaListenerContainerFactory<byte[], byte[]>
        implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(IdempotentListenerContainerFactory.class);
    private static final Duration AUTHORIZATION_RETRY = Duration.ofSeconds(10);

    private final Inbox inbox;
    private final InboxSettings settings;
    private final EventIds eventIds;
    private final EventReader reader;
    private final PayloadConverter payloads;
    private final @Nullable Validator validator;
    private final FailureHandling failures;
    private final Map<String, ?> consumerConfig;
    private final ThreadFactory workerThreads;
    private final AtomicBoolean transactionManagerChecked = new AtomicBoolean();
    private @Nullable BeanFactory beanFactory;

    private IdempotentListenerContainerFactory(Builder builder) {
        this.inbox = builder.inbox;
        this.settings = builder.settings;
        this.eventIds = new EventIds(settings.eventIdHeader());
        this.reader = new EventReader(eventIds);
        this.payloads = new PayloadConverter(builder.jsonMapper);
        this.validator = builder.validator;
        this.consumerConfig = builder.consumerConfig;
        this.workerThreads = builder.workerThreads;
        this.failures = new FailureHandling(builder.producerConfig, settings, reader, builder.listener);
        setConsumerFactory(new DefaultKafkaConsumerFactory<>(ForcedConsumerSettings.apply(builder.consumerConfig)));
        setRecordMessageConverter(HandlerMethods.messages());
        ContainerProperties properties = getContainerProperties();
        properties.setSyncCommits(true);
        // A stop waits for the record under way, not for the rest of the poll.
        properties.setStopImmediate(true);
        // Without it, a container whose right to read is withdrawn for a moment stops for ever.
        properties.setAuthExceptionRetryInterval(AUTHORIZATION_RETRY);
    }

    /**
     * @param inbox where events are recorded
     */
    public static Builder builder(Inbox inbox) {
        return new Builder(inbox);
    }

    @Override
    public void setApplicationContext(ApplicationContext applicationContext) {
        super.setApplicationContext(applicationContext);
        this.beanFactory = applicationContext.getAutowireCapableBeanFactory();
    }

    /**
     * @throws IllegalStateException if the listener or its container cannot keep the guarantee; the message says why
     */
    @Override
    public ConcurrentMessageListenerContainer<byte[], byte[]> createListenerContainer(KafkaListenerEndpoint endpoint) {
        MethodKafkaListenerEndpoint<?, ?> listener = ListenerContract.check(endpoint, settings.deadLetters());
        listener.setMessageHandlerMethodFactory(
                HandlerMethods.create(payloads, new CloudEventHeaders(eventIds), validator, beanFactory));
        if (listener.getTopicPattern() != null) {
            listener.setTopicPattern(
                    ListenerContract.withoutDeadLetters(listener.getTopicPattern(), settings.deadLetters()));
        }
        checkTransactionManager();
        ConcurrentMessageListenerContainer<byte[], byte[]> container = super.createListenerContainer(listener);
        ContainerContract.check(container);
        return container;
    }

    @Override
    protected void initializeContainer(
            ConcurrentMessageListenerContainer<byte[], byte[]> container, KafkaListenerEndpoint endpoint) {
        super.initializeContainer(container, endpoint);
        ListenerContract.check(endpoint, settings.deadLetters());
        ListenerMode mode = new ListenerMode(
                (MethodKafkaListenerEndpoint<?, ?>) endpoint,
                ListenerOptions.of((MethodKafkaListenerEndpoint<?, ?>) endpoint, beanFactory),
                container,
                consumerConfig);
        RecordFailures recordFailures = failures.failuresOf(mode.consumer(), mode.group());
        EventProcessor processor =
                new EventProcessor(mode.consumer(), inbox, reader, List.of(), mode.handler(payloads));
        mode.apply(processor, recordFailures, workerThreads);
    }

    private void checkTransactionManager() {
        if (transactionManagerChecked.compareAndSet(false, true)) {
            try {
                inbox.checkTransactionManager();
            } catch (TransactionException e) {
                LOG.warn("The inbox's database cannot be reached; its listeners start all the same and wait for it", e);
            }
        }
    }

    /** Closes the producer of dead letters. The containers have been stopped before. */
    @Override
    public void destroy() {
        failures.close();
    }

    /** Collects what the factory is made of; only the Kafka settings have no default. */
    public static final class Builder {

        private final Inbox inbox;
        private InboxSettings settings = InboxSettings.defaults();
        private Map<String, ?> consumerConfig = Map.of();
        private Map<String, ?> producerConfig = Map.of();
        private JsonMapper jsonMapper = new JsonMapper();
        private InboxListener listener = new InboxListener() {};
        private @Nullable Validator validator;
        private ThreadFactory workerThreads = new CustomizableThreadFactory("inbox-worker-");

        private Builder(Inbox inbox) {
            this.inbox = inbox;
        }

        /** Sets everything that is not Kafka's own. */
        public Builder settings(InboxSettings settings) {
            this.settings = settings;
            return this;
        }

        /** Sets the settings of the Kafka consumers; see {@link ForcedConsumerSettings} for what is added. */
        public Builder consumerConfig(Map<String, ?> consumerConfig) {
            this.consumerConfig = consumerConfig;
            return this;
        }

        /**
         * Sets the settings of the Kafka producer of dead letters. Connection and security are taken from them; what
         * makes a copy durable and unaltered is forced.
         */
        public Builder producerConfig(Map<String, ?> producerConfig) {
            this.producerConfig = producerConfig;
            return this;
        }

        /** Sets what reads JSON payloads. A copy without default typing is used. */
        public Builder jsonMapper(JsonMapper jsonMapper) {
            this.jsonMapper = jsonMapper;
            return this;
        }

        /** Sets the observers of failures and dead letters, each isolated from the others. */
        public Builder listeners(Collection<? extends InboxListener> listeners) {
            this.listener = InboxListener.all(listeners);
            return this;
        }

        /** Sets what validates a payload parameter that is annotated with {@code @Valid} or {@code @Validated}. */
        public Builder validator(@Nullable Validator validator) {
            this.validator = validator;
            return this;
        }

        /**
         * Sets what makes the threads of listeners with a {@link IdempotentListener#parallelism()}, platform or virtual
         * ones. As many run at once as the listener says. Platform threads if not set.
         */
        public Builder workerThreads(ThreadFactory workerThreads) {
            this.workerThreads = workerThreads;
            return this;
        }

        /**
         * @throws ConflictingConsumerSettingException if the consumer is configured against the guarantee
         */
        public IdempotentListenerContainerFactory build() {
            return new IdempotentListenerContainerFactory(this);
        }
    }
}
