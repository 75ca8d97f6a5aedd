package dev.outbox.autoconfigure;

import dev.outbox.inbox.DeadLetterSettings;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.PurgeSettings;
import dev.outbox.inbox.RetrySettings;
import dev.outbox.inbox.jdbc.InboxPurge;
import dev.outbox.inbox.jdbc.InboxTables;
import dev.outbox.inbox.jdbc.JdbcInbox;
import dev.outbox.inbox.kafka.AmbiguousListenerGuard;
import dev.outbox.inbox.kafka.EventExtractor;
import dev.outbox.inbox.kafka.FailureClassifier;
import dev.outbox.inbox.kafka.IdempotentListenerContainerFactory;
import dev.outbox.postgresql.SchemaMode;
import dev.outbox.postgresql.SchemaPreparation;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
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
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
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
@Import({ModuleDataSourceConfiguration.class, DatabaseInitializationDependencyConfigurer.class})
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
                () -> new InboxSettings(tables, properties.eventIdHeader(), retry(), deadLetters(), purge()));
    }

    @Bean
    @DependsOnDatabaseInitialization
    SchemaInitializer inboxSchemaInitializer(InboxSettings settings, ModuleDataSource moduleDataSource) {
        SchemaMode mode = properties.schema().mode();
        HikariPool.requireForMigrations("outbox.inbox.schema", moduleDataSource.dataSource(), mode);
        return new SchemaInitializer(
                new SchemaPreparation("inbox", InboxTables.of(settings.tables()), moduleDataSource.dataSource(), mode),
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

    @Bean(initMethod = "start", destroyMethod = "stop")
    @ConditionalOnMissingBean
    InboxPurge inboxPurge(
            InboxSettings settings, ModuleDataSource moduleDataSource, SchemaInitializer inboxSchemaInitializer) {
        return new InboxPurge(
                moduleDataSource.dataSource(),
                settings.tables(),
                settings.purge(),
                inboxSchemaInitializer.preparation()::isReady);
    }

    /** No candidate where a host asks for a container factory by its type. */
    @Bean(name = IdempotentListener.CONTAINER_FACTORY, defaultCandidate = false)
    @ConditionalOnMissingBean(name = IdempotentListener.CONTAINER_FACTORY)
    @ConditionalOnBean(KafkaConnectionDetails.class)
    IdempotentListenerContainerFactory idempotentListenerContainerFactory(
            Inbox inbox,
            InboxSettings settings,
            InboxKafkaSettings kafka,
            ObjectProvider<JsonMapper> mapper,
            ObjectProvider<Validator> validator,
            ObjectProvider<EventExtractor> extractors,
            ObjectProvider<FailureClassifier> classifiers,
            ObjectProvider<InboxListener> listeners) {
        return IdempotentListenerContainerFactory.builder(inbox)
                .settings(settings)
                .consumerConfig(kafka.consumer())
                .producerConfig(kafka.producer())
                .jsonMapper(mapper.getIfAvailable(JsonMapper::shared))
                .validator(validator.getIfUnique())
                .extractors(extractors.orderedStream().toList())
                .builtInExtractors(InboxReading.extractors(properties))
                .valueDeserializer(Objects.requireNonNullElse(properties.valueDeserializer(), ""))
                .classifiers(
                        Stream.concat(classifiers.orderedStream(), Stream.of(InboxReading.listed(properties.retry())))
                                .toList())
                .listeners(listeners.orderedStream().toList())
                .build();
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
        return InboxKafkaSettings.of(
                new KafkaConnection(kafka, details),
                kafka,
                environment,
                properties.kafka().properties());
    }

    private RetrySettings retry() {
        InboxProperties.Retry retry = properties.retry();
        return new RetrySettings(retry.maxAttempts(), retry.initialDelay(), retry.maxDelay());
    }

    private DeadLetterSettings deadLetters() {
        InboxProperties.DeadLetter deadLetter = properties.deadLetter();
        return new DeadLetterSettings(
                deadLetter.topicSuffix(),
                Math.toIntExact(deadLetter.maxRequestSize().toBytes()),
                deadLetter.maxBlock(),
                deadLetter.deliveryTimeout());
    }

    private PurgeSettings purge() {
        InboxProperties.Purge purge = properties.purge();
        return new PurgeSettings(purge.retention(), purge.period(), purge.batchSize());
    }
}
