package dev.outbox.inbox.kafka;

import dev.outbox.inbox.DeadLetterSettings;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxDatabase;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.PurgeSettings;
import dev.outbox.inbox.RetrySettings;
import dev.outbox.inbox.jdbc.JdbcInbox;
import dev.outbox.postgresql.TransactionPhase;
import dev.outbox.testkit.KafkaBroker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private final InboxDatabase database;
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final Map<String, Object> properties = new HashMap<>();
    private final Map<String, Object> consumerConfig = new HashMap<>();
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
                defaults.tables(), defaults.eventIdHeader(), retry, deadLetters, PurgeSettings.defaults());
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
        context.registerBean(Handler.Behaviour.class, () -> behaviour);
        start(Handler.class);
        return bean(Handler.class);
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
        context.registerBean(Effects.class);
        context.registerBean(Inbox.class, this::inbox);
        context.registerBean(
                IdempotentListener.CONTAINER_FACTORY, IdempotentListenerContainerFactory.class, this::containerFactory);
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

    private Inbox inbox() {
        TransactionPhase phase = new TransactionPhase();
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
                        context.getBean(Inbox.class))
                .settings(settings)
                .consumerConfig(consumerConfig)
                .producerConfig(connection)
                .jsonMapper(new JsonMapper())
                .listeners(List.of(observed))
                .build();
        customizer.accept(factory);
        return factory;
    }

    /** Whether no listener is to take anything more. */
    boolean isStopping() {
        return context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainers().stream()
                .noneMatch(container -> container.isRunning());
    }

    RecordingListener observed() {
        return observed;
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
