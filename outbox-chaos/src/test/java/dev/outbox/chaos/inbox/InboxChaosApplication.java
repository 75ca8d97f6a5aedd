package dev.outbox.chaos.inbox;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A service with the starter whose only business is to consume events. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class InboxChaosApplication {

    private static final String START = "chaos.start";

    /** Short limits, so that a consumer is missed soon; {@link Handler#SLOW} is longer than that between two polls. */
    private static final Map<String, String> PROPERTIES = Map.ofEntries(
            Map.entry("outbox.append.enabled", "false"),
            Map.entry("outbox.relay.enabled", "false"),
            Map.entry("outbox.purge.enabled", "false"),
            Map.entry("outbox.inbox.retry.initial-delay", "50ms"),
            Map.entry("outbox.inbox.retry.max-delay", "1s"),
            Map.entry("outbox.inbox.kafka.properties.max.poll.interval.ms", "2000"),
            Map.entry("outbox.inbox.kafka.properties.max.poll.records", "20"),
            Map.entry("outbox.inbox.kafka.properties.session.timeout.ms", "2000"),
            Map.entry("outbox.inbox.kafka.properties.heartbeat.interval.ms", "500"),
            Map.entry("outbox.inbox.kafka.properties.request.timeout.ms", "3000"),
            Map.entry("outbox.inbox.kafka.properties.default.api.timeout.ms", "5000"),
            Map.entry("outbox.inbox.kafka.properties.reconnect.backoff.max.ms", "200"),
            Map.entry("outbox.inbox.kafka.properties.fetch.max.wait.ms", "50"));

    public static void main(String[] arguments) {
        String start = start(arguments).getEnvironment().getRequiredProperty(START);
        System.out.println(ready(start));
    }

    /** What an instance prints when it runs. */
    static String ready(String start) {
        return "The instance of start %s is ready".formatted(start);
    }

    /** The properties of an instance that has these listeners. */
    static Map<String, String> properties(String topic, List<Mode> modes, String start) {
        Map<String, String> properties = new TreeMap<>(PROPERTIES);
        properties.put("chaos.topic", topic);
        properties.put(START, start);
        modes.forEach(mode -> properties.put(mode.property(), "true"));
        return properties;
    }

    static ConfigurableApplicationContext start(String... arguments) {
        return new SpringApplicationBuilder(InboxChaosApplication.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.keep-alive=true", "spring.main.banner-mode=off", "spring.application.name=chaos")
                .run(arguments);
    }

    @Bean
    Effects effects(JdbcClient jdbc) {
        return new Effects(jdbc);
    }

    @Bean
    Handler handler(Effects effects) {
        return new Handler(effects);
    }

    @Bean
    @ConditionalOnBooleanProperty("chaos.listener.record")
    RecordListener recordListener(Handler handler) {
        return new RecordListener(handler);
    }

    @Bean
    @ConditionalOnBooleanProperty("chaos.listener.batch")
    BatchListener batchListener(Handler handler) {
        return new BatchListener(handler);
    }

    @Bean
    @ConditionalOnBooleanProperty("chaos.listener.parallel")
    ParallelListener parallelListener(Handler handler) {
        return new ParallelListener(handler);
    }

    @Bean
    @ConditionalOnBooleanProperty("chaos.listener.planted")
    PlantedListener plantedListener(Effects effects, PlatformTransactionManager transactions) {
        return new PlantedListener(effects, new TransactionTemplate(transactions));
    }
}
