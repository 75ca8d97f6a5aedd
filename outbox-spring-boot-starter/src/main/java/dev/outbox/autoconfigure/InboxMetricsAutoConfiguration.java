package dev.outbox.autoconfigure;

import dev.outbox.inbox.micrometer.MicrometerInboxListener;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the inbox's meters. */
@AutoConfiguration(
        before = InboxAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "outbox.inbox.enabled", matchIfMissing = true)
public final class InboxMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    MicrometerInboxListener inboxMeters(MeterRegistry registry) {
        return new MicrometerInboxListener(registry);
    }
}
