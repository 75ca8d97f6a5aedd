package dev.outbox.autoconfigure;

import dev.outbox.micrometer.TraceHeaders;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration that stores the trace context of the caller with every event. */
@AutoConfiguration(
        after = OutboxAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration"
        })
@ConditionalOnClass({Tracer.class, Propagator.class})
@ConditionalOnBean({Tracer.class, Propagator.class, RelayWakeUp.class})
public final class OutboxTracingAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    TraceHeaders outboxTraceHeaders(Tracer tracer, Propagator propagator) {
        return new TraceHeaders(tracer, propagator);
    }
}
