package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.InboxSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.adapter.MessagingMessageListenerAdapter;
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
    private final ListenerReadings readings;
    private final @Nullable Validator validator;
    private final FailureHandling failures;
    private final AtomicBoolean transactionManagerChecked = new AtomicBoolean();
    private @Nullable BeanFactory beanFactory;

    private IdempotentListenerContainerFactory(Builder builder) {
        this.inbox = builder.inbox;
        this.settings = builder.settings;
        ClassifierChain classifier = new ClassifierChain(builder.classifiers);
        this.readings =
                new ListenerReadings(builder.extraction(), builder.jsonMapper, builder.valueDeserializer, classifier);
        this.validator = builder.validator;
        this.failures = new FailureHandling(builder.producerConfig, settings, classifier, builder.listener);
        setConsumerFactory(new DefaultKafkaConsumerFactory<>(ForcedConsumerSettings.apply(builder.consumerConfig)));
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
                HandlerMethods.create(nameOf(listener), readingOf(listener).payloads(), validator, beanFactory));
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
        EventReader reader = readingOf(ListenerContract.check(endpoint, settings.deadLetters()))
                .reader();
        ConsumerName consumer = nameOf(endpoint);
        ContainerProperties properties = container.getContainerProperties();
        properties.setMessageListener(new IdempotentRecordListener(new EventProcessor(
                consumer, inbox, reader, List.of(), handler(properties.getMessageListener(), reader))));
        String group = container.getGroupId();
        container.setCommonErrorHandler(
                failures.handlerFor(consumer, group == null ? consumer.value() : group, reader));
    }

    private static ConsumerName nameOf(KafkaListenerEndpoint endpoint) {
        return new ConsumerName(Objects.requireNonNull(endpoint.getId()));
    }

    private ListenerReading readingOf(MethodKafkaListenerEndpoint<?, ?> listener) {
        return readings.of(
                listener,
                beanFactory,
                Objects.requireNonNull(getConsumerFactory()).getConfigurationProperties());
    }

    @SuppressWarnings("unchecked")
    private static AcknowledgingConsumerAwareMessageListener<byte[], byte[]> handler(
            @Nullable Object listener, EventReader reader) {
        if (listener instanceof MessagingMessageListenerAdapter<?, ?> adapter) {
            adapter.setMessageConverter(new EventMessages(reader));
        }
        return (AcknowledgingConsumerAwareMessageListener<byte[], byte[]>) Objects.requireNonNull(listener);
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

    /** Closes the producer of dead letters and the deserializers. The containers have been stopped before. */
    @Override
    public void destroy() {
        readings.close();
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
        private List<EventExtractor> extractors = List.of();
        private @Nullable List<EventExtractor> builtInExtractors;
        private String valueDeserializer = "";
        private List<FailureClassifier> classifiers = List.of();

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

        /** Sets what reads the records of producers with an envelope of their own, for listeners that name none. */
        public Builder extractors(Collection<? extends EventExtractor> extractors) {
            this.extractors = List.copyOf(extractors);
            return this;
        }

        /**
         * Sets what reads records that no other extractor knows: by default CloudEvents in structured mode, then those
         * with the header of the settings.
         */
        public Builder builtInExtractors(Collection<? extends EventExtractor> extractors) {
            this.builtInExtractors = List.copyOf(extractors);
            return this;
        }

        /** Sets the {@link IdempotentListener#valueDeserializer()} of listeners that have none; empty for none. */
        public Builder valueDeserializer(String valueDeserializer) {
            this.valueDeserializer = valueDeserializer;
            return this;
        }

        /** Sets what decides on failures before the built-in classifier does, which knows the database's. */
        public Builder classifiers(Collection<? extends FailureClassifier> classifiers) {
            this.classifiers = List.copyOf(classifiers);
            return this;
        }

        private ListenerReadings.Extraction extraction() {
            String header = settings.eventIdHeader();
            return new ListenerReadings.Extraction(
                    extractors,
                    builtInExtractors != null
                            ? builtInExtractors
                            : List.of(
                                    EventExtractors.structuredCloudEvents(EventIds.uuids()),
                                    EventExtractors.headers(header)),
                    header);
        }

        /**
         * @throws ConflictingConsumerSettingException if the consumer is configured against the guarantee
         */
        public IdempotentListenerContainerFactory build() {
            return new IdempotentListenerContainerFactory(this);
        }
    }
}
