package dev.outbox.autoconfigure;

import dev.outbox.micrometer.OutboxMeters;
import dev.outbox.relay.BacklogSampler;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the outbox's meters. */
@AutoConfiguration(
        after = OutboxRelayAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({MeterRegistry.class, RelayWakeUp.class})
public final class OutboxMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OutboxMeters outboxMeters(MeterRegistry registry) {
        return new OutboxMeters(registry);
    }

    @Bean
    SmartInitializingSingleton outboxBacklogGauges(OutboxMeters meters, ObjectProvider<BacklogSampler> sampler) {
        return () -> sampler.ifAvailable(meters::bindBacklog);
    }
}
