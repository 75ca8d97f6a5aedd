package dev.outbox.autoconfigure;

import dev.outbox.AppendLimits;
import dev.outbox.EventStore;
import dev.outbox.HeaderContributor;
import dev.outbox.OutboxListener;
import dev.outbox.OutboxListeners;
import dev.outbox.OutboxWriter;
import dev.outbox.PayloadSerializer;
import dev.outbox.PendingChanges;
import dev.outbox.jdbc.AwaitedEventStore;
import dev.outbox.jdbc.JdbcEventStore;
import dev.outbox.jdbc.OutboxTables;
import dev.outbox.json.JacksonPayloadSerializer;
import dev.outbox.postgresql.ModuleSchema;
import dev.outbox.postgresql.SchemaPreparation;
import dev.outbox.postgresql.TableNames;
import dev.outbox.postgresql.TransactionPhase;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import tools.jackson.databind.json.JsonMapper;

/** Auto-configuration of the outbox's tables and of {@link OutboxWriter}. */
@AutoConfiguration(
        after = DataSourceAutoConfiguration.class,
        afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnBean(DataSource.class)
@EnableConfigurationProperties(OutboxProperties.class)
@Import({ModuleDataSourceConfiguration.class, DatabaseInitializationDependencyConfigurer.class})
public final class OutboxAutoConfiguration {

    @Bean
    TableNames outboxTableNames(OutboxProperties properties) {
        return InvalidOutboxPropertyException.settings(
                "outbox.schema",
                () -> new TableNames(
                        properties.schema().name(), properties.schema().tablePrefix()));
    }

    /* After the application's own migrations: Flyway refuses a schema that is not empty and that it does not know. */
    @Bean
    @DependsOnDatabaseInitialization
    @Conditional(OnOutboxInUse.class)
    SchemaInitializer outboxSchemaInitializer(
            OutboxProperties properties, TableNames outboxTableNames, ModuleDataSource moduleDataSource) {
        OutboxProperties.Schema schema = properties.schema();
        HikariPool.requireForMigrations("outbox.schema", moduleDataSource.dataSource(), schema.mode());
        ModuleSchema tables = InvalidOutboxPropertyException.settings(
                "outbox.schema", () -> OutboxTables.schema(outboxTableNames, schema.layout(), schema.partitionSize()));
        return new SchemaInitializer(
                new SchemaPreparation("outbox", tables, moduleDataSource.dataSource(), schema.mode()),
                moduleDataSource.dataSource());
    }

    @Bean
    RelayWakeUp outboxRelayWakeUp() {
        return new RelayWakeUp();
    }

    /** Appending. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "outbox.append.enabled", matchIfMissing = true)
    static class AppendConfiguration {

        @Bean
        @ConditionalOnMissingBean
        EventStore outboxEventStore(
                OutboxProperties properties,
                TableNames outboxTableNames,
                ModuleDataSource moduleDataSource,
                TransactionPhase phase,
                SchemaInitializer outboxSchemaInitializer) {
            JdbcEventStore store = new JdbcEventStore(
                    moduleDataSource.dataSource(),
                    phase,
                    outboxTableNames,
                    properties.append().guardOrder());
            return new AwaitedEventStore(store, outboxSchemaInitializer.preparation());
        }

        @Bean
        @ConditionalOnMissingBean
        OutboxWriter outboxWriter(
                EventStore store,
                OutboxProperties properties,
                ObjectProvider<PayloadSerializer> serializers,
                ObjectProvider<HeaderContributor> contributors,
                ObjectProvider<PendingChanges> pendingChanges,
                ObjectProvider<OutboxListener> listeners) {
            return OutboxWriter.create(
                    store,
                    serializers.orderedStream().toList(),
                    contributors.orderedStream().toList(),
                    pendingChanges.orderedStream().toList(),
                    limits(properties),
                    new OutboxListeners(listeners.orderedStream().toList()));
        }

        @Bean
        @Order
        JacksonPayloadSerializer outboxJacksonPayloadSerializer(ObjectProvider<JsonMapper> mapper) {
            return new JacksonPayloadSerializer(mapper.getIfAvailable(JsonMapper::shared));
        }

        @Bean
        @ConditionalOnBooleanProperty(name = "outbox.append.application-events", matchIfMissing = true)
        static PublishedEventAppender outboxPublishedEventAppender(ObjectProvider<OutboxWriter> writer) {
            return new PublishedEventAppender(writer::getObject);
        }
    }

    static AppendLimits limits(OutboxProperties properties) {
        return InvalidOutboxPropertyException.settings(
                "outbox.append",
                () -> new AppendLimits(
                        Math.toIntExact(properties.append().maxPayloadSize().toBytes())));
    }
}
