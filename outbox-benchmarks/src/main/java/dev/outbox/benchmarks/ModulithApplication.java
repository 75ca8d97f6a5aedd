package dev.outbox.benchmarks;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.TaskExecutor;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;

/** A service with Spring Modulith's event registry and its publication to Kafka. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ModulithApplication {

    /** Whether what follows a commit is lost, as if the process ended there, so that a backlog remains. */
    static final String LOSES = "benchmark.loses";

    @Bean
    EventExternalizationConfiguration externalization(@Value("${benchmark.topic}") String topic) {
        return EventExternalizationConfiguration.externalizing()
                .select(OrderChanged.class::isInstance)
                .route(
                        OrderChanged.class,
                        order -> RoutingTarget.forTarget(topic).andKey(order.order()))
                .build();
    }

    @Bean("applicationTaskExecutor")
    @ConditionalOnProperty(LOSES)
    TaskExecutor losing() {
        return task -> {};
    }
}
