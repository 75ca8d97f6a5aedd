package dev.outbox.autoconfigure;

import dev.outbox.OutboxListener;
import dev.outbox.OutboxListeners;
import dev.outbox.PurgeSettings;
import dev.outbox.PurgeStore;
import dev.outbox.jdbc.AwaitedPurgeStore;
import dev.outbox.jdbc.JdbcPurgeStore;
import dev.outbox.jdbc.PartitionedPurgeStore;
import dev.outbox.jdbc.TableLayout;
import dev.outbox.postgresql.TableNames;
import dev.outbox.relay.Purge;
import java.util.concurrent.ThreadFactory;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/** Auto-configuration of what removes old records. */
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnBean(ModuleDataSource.class)
@ConditionalOnBooleanProperty(name = "outbox.purge.enabled", matchIfMissing = true)
@Conditional(OnOutboxInUse.class)
public final class OutboxPurgeAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    PurgeStore outboxPurgeStore(
            OutboxProperties properties,
            TableNames outboxTableNames,
            ModuleDataSource moduleDataSource,
            SchemaInitializer outboxSchemaInitializer) {
        DataSource dataSource = moduleDataSource.dataSource();
        PurgeStore store = properties.schema().layout() == TableLayout.PARTITIONED
                ? new PartitionedPurgeStore(
                        dataSource,
                        outboxTableNames,
                        settings(properties),
                        properties.schema().partitionSize())
                : new JdbcPurgeStore(dataSource, outboxTableNames, settings(properties));
        return new AwaitedPurgeStore(store, outboxSchemaInitializer.preparation());
    }

    @Bean
    @ConditionalOnMissingBean
    Purge outboxPurge(
            PurgeStore store,
            OutboxProperties properties,
            ObjectProvider<OutboxListener> listeners,
            Environment environment) {
        return new Purge(
                store,
                settings(properties).period(),
                new OutboxListeners(listeners.orderedStream().toList()),
                threads(environment));
    }

    private static ThreadFactory threads(Environment environment) {
        return Threading.VIRTUAL.isActive(environment)
                ? new VirtualThreadTaskExecutor("outbox-purge-").getVirtualThreadFactory()
                : Purge.platformThreads();
    }

    private static PurgeSettings settings(OutboxProperties properties) {
        OutboxProperties.Purge purge = properties.purge();
        return InvalidOutboxPropertyException.settings(
                "outbox.purge", () -> new PurgeSettings(purge.retention(), purge.period(), purge.batchSize()));
    }
}
