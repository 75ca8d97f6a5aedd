package dev.outbox.autoconfigure;

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
import dev.outbox.inbox.jdbc.InboxPurge;
import dev.outbox.inbox.jdbc.InboxTables;
import dev.outbox.inbox.jdbc.JdbcDeadLetters;
import dev.outbox.inbox.jdbc.JdbcInbox;
import dev.outbox.inbox.jdbc.TableLayout;
import dev.outbox.postgresql.SchemaMode;
import dev.outbox.postgresql.SchemaPreparation;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.PlatformTransactionManager;

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
    InboxListenersConfiguration.class,
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
