package dev.outbox.autoconfigure;

import dev.outbox.inbox.Admissions;
import dev.outbox.inbox.ConsumerRegistry;
import dev.outbox.inbox.DeadLetterSettings;
import dev.outbox.inbox.DeadLetters;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.InboxOperations;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.LocalConsumers;
import dev.outbox.inbox.PurgeSettings;
import dev.outbox.inbox.RetrySettings;
import dev.outbox.inbox.WindowSettings;
import dev.outbox.inbox.jdbc.DatabaseClock;
import dev.outbox.inbox.jdbc.InboxPurge;
import dev.outbox.inbox.jdbc.InboxTables;
import dev.outbox.inbox.jdbc.JdbcConsumerRegistry;
import dev.outbox.inbox.jdbc.JdbcDeadLetters;
import dev.outbox.inbox.jdbc.JdbcInbox;
import dev.outbox.inbox.jdbc.TableLayout;
import dev.outbox.inbox.kafka.AmbiguousListenerGuard;
import dev.outbox.inbox.kafka.EventExtractor;
import dev.outbox.inbox.kafka.FailureClassifier;
import dev.outbox.inbox.kafka.IdempotentListenerContainerFactory;
import dev.outbox.inbox.kafka.ListenerNames;
import dev.outbox.inbox.kafka.TopicRetentionCheck;
import dev.outbox.postgresql.SchemaMode;
import dev.outbox.postgresql.SchemaPreparation;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.boot.thread.Threading;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.validation.Validator;
import tools.jackson.databind.json.JsonMapper;

/** Auto-configuration of the inbox: its table, {@link Inbox}, and what makes {@link IdempotentListener} work. */
@AutoConfiguration(
        after = {
            OutboxAutoConfiguration.class,
            DataSourceAutoConfiguration.class,
            TransactionAutoConfiguration.class,
            KafkaAutoConfiguration.class
        },
        afterName = {
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
        })
@ConditionalOnBean(DataSource.class)
@ConditionalOnBooleanProperty(name = "outbox.inbox.enabled", matchIfMissing = true)
@EnableConfigurationProperties(InboxProperties.class)
@Import({
    ModuleDataSourceConfiguration.class,
    InboxVersionsConfiguration.class,
    DatabaseInitializationDependencyConfigurer.class
})
public final class InboxAutoConfiguration {

    private final InboxProperties properties;

    InboxAutoConfiguration(InboxProperties properties) {
        this.properties = properties;
    }

    @Bean
    @ConditionalOnMissingBean
    InboxSettings inboxSettings() {
        TableNames tables = InvalidOutboxPropertyException.settings(
                "outbox.inbox.schema",
                () -> new TableNames(
                        properties.schema().name(), properties.schema().tablePrefix()));
        return InvalidOutboxPropertyException.settings(
                "outbox.inbox",
                () -> new InboxSettings(tables, properties.eventIdHeader(), retry(), deadLetters(), purge(), window()));
    }

    @Bean
    @DependsOnDatabaseInitialization
    SchemaInitializer inboxSchemaInitializer(InboxSettings settings, ModuleDataSource moduleDataSource) {
        SchemaMode mode = properties.schema().mode();
        HikariPool.requireForMigrations("outbox.inbox.schema", moduleDataSource.dataSource(), mode);
        return new SchemaInitializer(
                new SchemaPreparation(
                        "inbox",
                        InboxTables.of(settings.tables(), properties.schema().layout()),
                        moduleDataSource.dataSource(),
                        mode),
                moduleDataSource.dataSource());
    }

    @Bean
    @ConditionalOnMissingBean
    Inbox inbox(
            InboxSettings settings,
            ModuleDataSource moduleDataSource,
            TransactionPhase phase,
            ListableBeanFactory beans,
            ObjectProvider<PlatformTransactionManager> managers,
            ObjectProvider<InboxListener> listeners,
            SchemaInitializer inboxSchemaInitializer) {
        return new JdbcInbox(
                moduleDataSource.dataSource(),
                InboxTransactionManager.find(properties.transactionManager(), beans, managers),
                phase,
                settings.tables(),
                listeners.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean(DeadLetters.class)
    JdbcDeadLetters inboxDeadLetters(
            Inbox inbox,
            InboxSettings settings,
            ModuleDataSource moduleDataSource,
            TransactionPhase phase,
            ListableBeanFactory beans,
            ObjectProvider<PlatformTransactionManager> managers) {
        return new JdbcDeadLetters(
                moduleDataSource.dataSource(),
                InboxTransactionManager.find(properties.transactionManager(), beans, managers),
                phase,
                settings.tables(),
                inbox);
    }

    @Bean
    @ConditionalOnMissingBean
    LocalConsumers inboxLocalConsumers() {
        return new LocalConsumers();
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(JdbcDeadLetters.class)
    InboxOperations inboxOperations(
            JdbcDeadLetters deadLetters, LocalConsumers consumers, ObjectProvider<InboxListener> listeners) {
        return deadLetters.operations(consumers, listeners.orderedStream().toList());
    }

    @Bean(initMethod = "start", destroyMethod = "stop")
    @ConditionalOnMissingBean
    InboxPurge inboxPurge(
            InboxSettings settings, ModuleDataSource moduleDataSource, SchemaInitializer inboxSchemaInitializer) {
        DataSource dataSource = moduleDataSource.dataSource();
        BooleanSupplier ready = inboxSchemaInitializer.preparation()::isReady;
        Duration deadLetterRetention = settings.deadLetters().retention();
        if (properties.schema().layout() == TableLayout.PLAIN) {
            return new InboxPurge(dataSource, settings.tables(), settings.purge(), deadLetterRetention, ready);
        }
        return InvalidOutboxPropertyException.settings(
                "outbox.inbox.schema",
                () -> InboxPurge.partitioned(
                        dataSource,
                        settings.tables(),
                        settings.purge(),
                        properties.schema().partitionPeriod(),
                        deadLetterRetention,
                        ready));
    }

    /** No candidate where a host asks for a container factory by its type. */
    @Bean(name = IdempotentListener.CONTAINER_FACTORY, defaultCandidate = false)
    @ConditionalOnMissingBean(name = IdempotentListener.CONTAINER_FACTORY)
    @ConditionalOnBean(KafkaConnectionDetails.class)
    IdempotentListenerContainerFactory idempotentListenerContainerFactory(
            Inbox inbox,
            DeadLetters deadLetters,
            LocalConsumers localConsumers,
            ConsumerRegistry registry,
            InboxSettings settings,
            InboxKafkaSettings kafka,
            ModuleDataSource moduleDataSource,
            TransactionPhase phase,
            ObjectProvider<Admissions> admissions,
            ObjectProvider<JsonMapper> mapper,
            ObjectProvider<Validator> validator,
            ObjectProvider<EventExtractor> extractors,
            ObjectProvider<FailureClassifier> classifiers,
            ObjectProvider<InboxListener> listeners,
            Environment environment) {
        IdempotentListenerContainerFactory.Builder factory = IdempotentListenerContainerFactory.builder(
                        inbox, deadLetters)
                .localConsumers(localConsumers)
                .consumers(registry)
                .settings(settings)
                .databaseClock(new DatabaseClock(moduleDataSource.dataSource(), phase))
                .consumerConfig(kafka.consumer())
                .producerConfig(kafka.producer())
                .admissions(admissions.orderedStream().toList())
                .jsonMapper(mapper.getIfAvailable(JsonMapper::shared))
                .validator(validator.getIfUnique())
                .extractors(extractors.orderedStream().toList())
                .builtInExtractors(InboxReading.extractors(properties))
                .valueDeserializer(Objects.requireNonNullElse(properties.valueDeserializer(), ""))
                .classifiers(
                        Stream.concat(classifiers.orderedStream(), Stream.of(InboxReading.listed(properties.retry())))
                                .toList())
                .listeners(listeners.orderedStream().toList());
        if (Threading.VIRTUAL.isActive(environment)) {
            factory.workerThreads(new VirtualThreadTaskExecutor("inbox-worker-").getVirtualThreadFactory());
        }
        return factory.build();
    }

    @Bean
    @ConditionalOnMissingBean
    ConsumerRegistry inboxConsumerRegistry(
            InboxSettings settings,
            ModuleDataSource moduleDataSource,
            Environment environment,
            SchemaInitializer inboxSchemaInitializer) {
        return new JdbcConsumerRegistry(
                moduleDataSource.dataSource(),
                settings.tables(),
                settings.purge().retention(),
                environment.getProperty("spring.application.name", "application"),
                properties.renamedGroups());
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(KafkaConnectionDetails.class)
    TopicRetentionCheck inboxTopicRetentionCheck(
            @Qualifier(IdempotentListener.CONTAINER_FACTORY) IdempotentListenerContainerFactory factory,
            InboxSettings settings,
            InboxKafkaSettings kafka) {
        return new TopicRetentionCheck(factory, settings, kafka.producer());
    }

    /* Static, because spring-kafka's post-processor fetches it early. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ListenerNames outboxListenerNames() {
        return new ListenerNames();
    }

    /* Static, because spring-kafka's post-processor fetches it early. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AmbiguousListenerGuard outboxAmbiguousListenerGuard() {
        return new AmbiguousListenerGuard();
    }

    @Bean
    @ConditionalOnBean(KafkaConnectionDetails.class)
    InboxKafkaSettings inboxKafkaSettings(
            KafkaProperties kafka, KafkaConnectionDetails details, Environment environment) {
        return InboxKafkaSettings.of(new KafkaConnection(kafka, details), kafka, environment, properties.kafka());
    }

    private RetrySettings retry() {
        InboxProperties.Retry retry = properties.retry();
        return new RetrySettings(retry.maxAttempts(), retry.initialDelay(), retry.maxDelay());
    }

    private DeadLetterSettings deadLetters() {
        InboxProperties.DeadLetterTopic topic = properties.deadLetter().topic();
        return new DeadLetterSettings(
                properties.deadLetter().retention(),
                topic.enabled(),
                topic.suffix(),
                Math.toIntExact(topic.maxRequestSize().toBytes()),
                topic.maxBlock(),
                topic.deliveryTimeout());
    }

    private PurgeSettings purge() {
        InboxProperties.Purge purge = properties.purge();
        return new PurgeSettings(purge.retention(), purge.period(), purge.batchSize());
    }

    private WindowSettings window() {
        InboxProperties.Window window = properties.window();
        return new WindowSettings(window.outside(), window.check(), window.longestRedrive());
    }
}
