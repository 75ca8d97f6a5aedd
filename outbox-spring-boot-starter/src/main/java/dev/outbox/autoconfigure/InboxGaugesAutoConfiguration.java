package dev.outbox.autoconfigure;

import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.LocalConsumers;
import dev.outbox.inbox.jdbc.DeadLetterSampler;
import dev.outbox.inbox.micrometer.DeadLetterGauges;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the gauges that show what waits in the inbox's tables. */
@AutoConfiguration(
        after = InboxAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({MeterRegistry.class, LocalConsumers.class})
public final class InboxGaugesAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DeadLetterGauges inboxDeadLetterGauges(MeterRegistry registry, LocalConsumers consumers) {
        return new DeadLetterGauges(registry, consumers);
    }

    @Bean(initMethod = "start", destroyMethod = "stop")
    @ConditionalOnMissingBean
    DeadLetterSampler inboxDeadLetterSampler(
            InboxSettings settings,
            ModuleDataSource moduleDataSource,
            SchemaInitializer inboxSchemaInitializer,
            DeadLetterGauges gauges) {
        return new DeadLetterSampler(
                moduleDataSource.dataSource(),
                settings.tables(),
                inboxSchemaInitializer.preparation()::isReady,
                gauges);
    }
}
