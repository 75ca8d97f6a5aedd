package dev.outbox.inbox.kafka;

import dev.outbox.inbox.DeadLetterSettings;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.InboxOperations;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.LocalConsumers;
import dev.outbox.inbox.OutsideWindow;
import dev.outbox.inbox.PurgeSettings;
import dev.outbox.inbox.RetentionCheck;
import dev.outbox.inbox.RetrySettings;
import dev.outbox.inbox.WindowSettings;
import dev.outbox.inbox.jdbc.DatabaseClock;
import dev.outbox.inbox.jdbc.InboxVersions;
import dev.outbox.inbox.jdbc.JdbcConsumerRegistry;
import dev.outbox.inbox.jdbc.JdbcDeadLetters;
import dev.outbox.inbox.jdbc.JdbcInbox;
import dev.outbox.postgresql.TransactionPhase;
import dev.outbox.testkit.KafkaBroker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import tools.jackson.databind.json.JsonMapper;

/** A plain Spring application with idempotent listeners, wired as a starter would. */
final class InboxApplication implements AutoCloseable {

    static final RetrySettings QUICK = new RetrySettings(3, Duration.ofMillis(50), Duration.ofMillis(200));

    /** Dead letters are also copied to their topic. */
    static final DeadLetterSettings COPIED = new DeadLetterSettings(
            DeadLetterSettings.DEFAULT_RETENTION,
            true,
            DeadLetterSettings.DEFAULT_TOPIC_SUFFIX,
            DeadLetterSettings.DEFAULT_MAX_REQUEST_BYTES,
            DeadLetterSettings.DEFAULT_MAX_BLOCK,
            DeadLetterSettings.DEFAULT_DELIVERY_TIMEOUT);

    private final InboxDatabase database;
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final Map<String, Object> properties = new HashMap<>();
    private final Map<String, Object> consumerConfig = new HashMap<>();
    private final TransactionPhase phase = new TransactionPhase();
    private final Map<String, String> formerGroups = new HashMap<>();
    private final RecordingListener observed = new RecordingListener();
    private InboxSettings settings = settings(QUICK, DeadLetterSettings.defaults());
    private PlatformTransactionManager transactionManager;
    private Consumer<IdempotentListenerContainerFactory> customizer = factory -> {};

    private InboxApplication(InboxDatabase database) {
        this.database = database;
        this.transactionManager = new JdbcTransactionManager(database.pool());
        // A fetch that is under way when a record fails holds up the next one for as long as this.
        this.consumerConfig.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "50");
    }

    static InboxApplication on(InboxDatabase database) {
        return new InboxApplication(database);
    }

    static InboxSettings settings(RetrySettings retry, DeadLetterSettings deadLetters) {
        InboxSettings defaults = InboxSettings.defaults();
        return new InboxSettings(
                defaults.tables(),
                defaults.eventIdHeader(),
                retry,
                deadLetters,
                PurgeSettings.defaults(),
                new WindowSettings(
                        WindowSettings.DEFAULT_OUTSIDE, RetentionCheck.NONE, WindowSettings.DEFAULT_LONGEST_REDRIVE));
    }

    static InboxSettings settings(Duration retention, OutsideWindow outside, RetentionCheck check) {
        InboxSettings defaults = InboxSettings.defaults();
        return new InboxSettings(
                defaults.tables(),
                defaults.eventIdHeader(),
                QUICK,
                DeadLetterSettings.defaults(),
                new PurgeSettings(retention, PurgeSettings.DEFAULT_PERIOD, PurgeSettings.DEFAULT_BATCH_SIZE),
                new WindowSettings(outside, check, WindowSettings.DEFAULT_LONGEST_REDRIVE));
    }

    InboxApplication property(String name, String value) {
        properties.put(name, value);
        return this;
    }

    InboxApplication consumerConfig(String name, Object value) {
        consumerConfig.put(name, value);
        return this;
    }

    InboxApplication settings(InboxSettings settings) {
        this.settings = settings;
        return this;
    }

    InboxApplication renamedGroup(String consumer, String formerGroup) {
        formerGroups.put(consumer, formerGroup);
        return this;
    }

    InboxApplication transactionManager(PlatformTransactionManager transactionManager) {
        this.transactionManager = transactionManager;
        return this;
    }

    InboxApplication customize(Consumer<IdempotentListenerContainerFactory> customizer) {
        this.customizer = customizer;
        return this;
    }

    /** Starts with a {@link Handler} that behaves like this. */
    Handler handle(Handler.Behaviour behaviour) {
        return handle(behaviour, Handler.class).bean(Handler.class);
    }

    /** Starts with these listeners, which behave like this. */
    InboxApplication handle(Handler.Behaviour behaviour, Class<?>... beans) {
        context.registerBean(Handler.Behaviour.class, () -> behaviour);
        return start(beans);
    }

    InboxApplication start(Class<?>... beans) {
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        context.registerBean(PropertySourcesPlaceholderConfigurer.class);
        context.registerBean(
                "dataSource", DataSource.class, database::pool, definition -> definition.setDestroyMethodName(""));
        context.registerBean(PlatformTransactionManager.class, () -> transactionManager);
        context.registerBean(JdbcClient.class, () -> JdbcClient.create(database.pool()));
        context.registerBean(AmbiguousListenerGuard.class);
        context.registerBean(ListenerNames.class);
        context.registerBean(Effects.class);
        context.registerBean(Inbox.class, this::inbox);
        context.registerBean(LocalConsumers.class);
        context.registerBean(JdbcDeadLetters.class, this::deadLetters);
        context.registerBean(InboxOperations.class, this::operations);
        context.registerBean(InboxVersions.class, this::versions);
        context.registerBean(
                IdempotentListener.CONTAINER_FACTORY, IdempotentListenerContainerFactory.class, this::containerFactory);
        context.registerBean(TopicRetentionCheck.class, this::retentionCheck);
        context.register(Annotations.class);
        context.register(beans);
        try {
            context.refresh();
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
        return this;
    }

    private JdbcDeadLetters deadLetters() {
        return new JdbcDeadLetters(
                database.pool(), transactionManager, phase, settings.tables(), context.getBean(Inbox.class));
    }

    private InboxOperations operations() {
        return context.getBean(JdbcDeadLetters.class)
                .operations(context.getBean(LocalConsumers.class), List.of(observed));
    }

    private Inbox inbox() {
        if (transactionManager instanceof JdbcTransactionManager jdbc) {
            jdbc.addListener(phase);
        }
        return new JdbcInbox(database.pool(), transactionManager, phase, settings.tables(), List.of(observed));
    }

    private IdempotentListenerContainerFactory containerFactory() {
        Map<String, Object> connection = Map.of(
                CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
                KafkaBroker.shared().bootstrapServers());
        consumerConfig.putAll(connection);
        IdempotentListenerContainerFactory factory = IdempotentListenerContainerFactory.builder(
                        context.getBean(Inbox.class), context.getBean(JdbcDeadLetters.class))
                .localConsumers(context.getBean(LocalConsumers.class))
                .settings(settings)
                .consumerConfig(consumerConfig)
                .producerConfig(connection)
                .jsonMapper(new JsonMapper())
                .listeners(List.of(observed))
                .admissions(List.of(context.getBean(InboxVersions.class)))
                .consumers(new JdbcConsumerRegistry(
                        database.pool(), settings.tables(), settings.purge().retention(), "test", formerGroups))
                .databaseClock(new DatabaseClock(database.pool(), phase))
                .build();
        customizer.accept(factory);
        return factory;
    }

    private InboxVersions versions() {
        return InboxVersions.builder(database.pool(), transactionManager, phase)
                .inbox(settings)
                .localConsumers(context.getBean(LocalConsumers.class))
                .deadLetters(context.getBean(JdbcDeadLetters.class)::addRecorded)
                .listeners(List.of(observed))
                .build();
    }

    private TopicRetentionCheck retentionCheck() {
        return new TopicRetentionCheck(
                context.getBean(IdempotentListenerContainerFactory.class),
                settings,
                Map.of(
                        CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
                        KafkaBroker.shared().bootstrapServers()));
    }

    /** Whether no listener is to take anything more. */
    boolean isStopping() {
        return context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainers().stream()
                .noneMatch(container -> container.isRunning());
    }

    RecordingListener observed() {
        return observed;
    }

    /** Whether the container of a consumer runs. */
    boolean isRunning(String consumer) {
        return Objects.requireNonNull(bean(KafkaListenerEndpointRegistry.class).getListenerContainer(consumer))
                .isRunning();
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }

    @EnableKafka
    @EnableTransactionManagement
    static class Annotations {}
}
