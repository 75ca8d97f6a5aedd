package dev.outbox.autoconfigure;

import dev.outbox.EventPublisher;
import dev.outbox.relay.BacklogSampler;
import dev.outbox.relay.Relay;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the health of the relay. */
@AutoConfiguration(after = OutboxRelayAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({Relay.class, BacklogSampler.class})
@ConditionalOnEnabledHealthIndicator("outbox")
public final class OutboxHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "outboxHealthIndicator")
    HealthIndicator outboxHealthIndicator(
            Relay relay,
            BacklogSampler sampler,
            EventPublisher publisher,
            SchemaInitializer outboxSchemaInitializer,
            OutboxProperties properties) {
        return new OutboxHealthIndicator(
                relay, sampler, publisher, outboxSchemaInitializer.preparation(), properties.health());
    }
}
