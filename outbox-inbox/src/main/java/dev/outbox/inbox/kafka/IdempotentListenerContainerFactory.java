package dev.outbox.inbox.kafka;

import dev.outbox.inbox.Admissions;
import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.ConsumerRegistry;
import dev.outbox.inbox.DeadLetters;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.LocalConsumers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
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

    private static final Duration AUTHORIZATION_RETRY = Duration.ofSeconds(10);

    private final InboxSettings settings;
    private final Map<String, ?> consumerConfig;
    private final ListenerReadings readings;
    private final ListenerAssembly assembly;
    private final FailureHandling failures;
    private final PartitionLags lags;
    private final @Nullable Validator validator;
    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
    private @Nullable BeanFactory beanFactory;

    private IdempotentListenerContainerFactory(Builder builder) {
        ClassifierChain classifier = new ClassifierChain(builder.classifiers);
        this.settings = builder.settings;
        this.consumerConfig = builder.consumerConfig;
        this.readings =
                new ListenerReadings(builder.extraction(), builder.jsonMapper, builder.valueDeserializer, classifier);
        this.failures = new FailureHandling(
                builder.producerConfig, settings, builder.deadLetters, classifier, builder.listener);
        this.assembly = new ListenerAssembly(builder, failures, classifier);
        this.lags = new PartitionLags(builder.listener);
        this.validator = builder.validator;
        configure();
    }

    private void configure() {
        setConsumerFactory(
                PostponedCommits.consumerFactory(lags.intercept(ForcedConsumerSettings.apply(consumerConfig))));
        ContainerProperties properties = getContainerProperties();
        properties.setSyncCommits(true);
        // A stop waits for the record under way, not for the rest of the poll.
        properties.setStopImmediate(true);
        // Without it, a container whose right to read is withdrawn for a moment stops for ever.
        properties.setAuthExceptionRetryInterval(AUTHORIZATION_RETRY);
    }

    /**
     * @param inbox where events are recorded
     * @param deadLetters where events are kept that cannot be processed
     */
    public static Builder builder(Inbox inbox, DeadLetters deadLetters) {
        return new Builder(inbox, deadLetters);
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
        ConsumerName consumer = new ConsumerName(Objects.requireNonNull(listener.getId()));
        listener.setMessageHandlerMethodFactory(
                HandlerMethods.create(consumer, readingOf(listener).payloads(), validator, beanFactory));
        if (listener.getTopicPattern() != null) {
            listener.setTopicPattern(
                    ListenerContract.withoutDeadLetters(listener.getTopicPattern(), settings.deadLetters()));
        }
        ConcurrentMessageListenerContainer<byte[], byte[]> container = super.createListenerContainer(listener);
        ContainerContract.check(container);
        lags.observe(container, consumer.value());
        subscriptions.add(new Subscription(
                Set.copyOf(listener.getTopics()),
                listener.getTopicPattern(),
                assembly.outsideWindow(consumer, ListenerAnnotation.find(listener))));
        return container;
    }

    @Override
    protected void initializeContainer(
            ConcurrentMessageListenerContainer<byte[], byte[]> container, KafkaListenerEndpoint endpoint) {
        super.initializeContainer(container, endpoint);
        MethodKafkaListenerEndpoint<?, ?> listener = ListenerContract.check(endpoint, settings.deadLetters());
        ConsumerName consumer = assembly.assemble(
                new ListenerMode(listener, ListenerOptions.of(listener, beanFactory), container, consumerConfig),
                readingOf(listener),
                ListenerAnnotation.find(listener));
        StaticMembership.apply(container.getContainerProperties(), consumer.value(), configuration());
    }

    private ListenerReading readingOf(MethodKafkaListenerEndpoint<?, ?> listener) {
        return readings.of(listener, beanFactory, configuration());
    }

    private Map<String, Object> configuration() {
        return Objects.requireNonNull(getConsumerFactory()).getConfigurationProperties();
    }

    /** Returns what the listeners read that have been made so far. */
    List<Subscription> subscriptions() {
        return List.copyOf(subscriptions);
    }

    /** Closes the producer of dead letters and the deserializers. The containers have been stopped before. */
    @Override
    public void destroy() {
        readings.close();
        failures.close();
    }

    /** Collects what the factory is made of; only the Kafka settings have no default. */
    public static final class Builder {

        final Inbox inbox;
        final DeadLetters deadLetters;
        LocalConsumers localConsumers = new LocalConsumers();
        InboxSettings settings = InboxSettings.defaults();
        Map<String, ?> consumerConfig = Map.of();
        Map<String, ?> producerConfig = Map.of();
        JsonMapper jsonMapper = new JsonMapper();
        InboxListener listener = new InboxListener() {};
        ConsumerRegistry registry = (consumer, group) -> {};
        InstantSource databaseClock = InstantSource.system();

        @Nullable
        Validator validator;

        List<? extends Admissions> admissions = List.of();
        ThreadFactory workerThreads = new CustomizableThreadFactory("inbox-worker-");
        List<EventExtractor> extractors = List.of();

        @Nullable
        List<EventExtractor> builtInExtractors;

        String valueDeserializer = "";
        List<FailureClassifier> classifiers = List.of();

        private Builder(Inbox inbox, DeadLetters deadLetters) {
            this.inbox = inbox;
            this.deadLetters = deadLetters;
        }

        /** Sets where the consumers are entered for those who redrive dead letters. */
        public Builder localConsumers(LocalConsumers localConsumers) {
            this.localConsumers = localConsumers;
            return this;
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
         * Sets the settings of the Kafka producer that copies dead letters to their topic. Connection and security are taken from them; what
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

        /** Sets what knows who uses a consumer's name. Without it, only this application's listeners are compared. */
        public Builder consumers(ConsumerRegistry consumers) {
            this.registry = consumers;
            return this;
        }

        /**
         * Sets the clock by which the inbox forgets. It is asked inside the transaction of an event, and only about
         * records that are older than half the inbox's retention. This machine's without it.
         */
        public Builder databaseClock(InstantSource databaseClock) {
            this.databaseClock = databaseClock;
            return this;
        }

        /** Sets what validates a payload parameter that is annotated with {@code @Valid} or {@code @Validated}. */
        public Builder validator(@Nullable Validator validator) {
            this.validator = validator;
            return this;
        }

        /** Sets what decides about events before their handler runs, in this order; versions come last. */
        public Builder admissions(List<? extends Admissions> admissions) {
            this.admissions = admissions;
            return this;
        }

        /** Sets what reads the records of producers with an envelope of their own, for listeners that name none. */
        public Builder extractors(Collection<? extends EventExtractor> extractors) {
            this.extractors = List.copyOf(extractors);
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
                    builtInExtractors == null ? EventExtractors.builtIn(header) : builtInExtractors,
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
