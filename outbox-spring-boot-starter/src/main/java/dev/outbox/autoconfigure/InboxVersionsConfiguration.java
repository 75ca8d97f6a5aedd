package dev.outbox.autoconfigure;

import dev.outbox.inbox.DeadLetters;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.LocalConsumers;
import dev.outbox.inbox.VersionSettings;
import dev.outbox.inbox.jdbc.EarlyEventSweeper;
import dev.outbox.inbox.jdbc.InboxVersions;
import dev.outbox.postgresql.TransactionPhase;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;

/** What idempotent listeners need that go by the versions of aggregates. */
@Configuration(proxyBeanMethods = false)
class InboxVersionsConfiguration {

    private final InboxProperties properties;

    InboxVersionsConfiguration(InboxProperties properties) {
        this.properties = properties;
    }

    @Bean
    @ConditionalOnMissingBean
    InboxVersions inboxVersions(
            InboxSettings settings,
            ModuleDataSource moduleDataSource,
            TransactionPhase phase,
            ListableBeanFactory beans,
            ObjectProvider<PlatformTransactionManager> managers,
            ObjectProvider<InboxListener> listeners,
            DeadLetters deadLetters,
            LocalConsumers consumers) {
        return InboxVersions.builder(
                        moduleDataSource.dataSource(),
                        InboxTransactionManager.find(properties.transactionManager(), beans, managers),
                        phase)
                .inbox(settings)
                .settings(versions(properties.versions()))
                .localConsumers(consumers)
                .deadLetters(deadLetters::addRecorded)
                .listeners(listeners.orderedStream().toList())
                .build();
    }

    @Bean
    @ConditionalOnMissingBean
    EarlyEventSweeper inboxEarlyEventSweeper(InboxVersions versions, SchemaInitializer inboxSchemaInitializer) {
        return versions.sweeper(inboxSchemaInitializer.preparation()::isReady);
    }

    private static VersionSettings versions(InboxProperties.Versions versions) {
        return InvalidOutboxPropertyException.settings(
                "outbox.inbox.versions",
                () -> new VersionSettings(
                        versions.maxEarlyPerAggregate(),
                        versions.maxEarlyPerConsumer(),
                        versions.timeout(),
                        versions.onTimeout(),
                        versions.period()));
    }
}
