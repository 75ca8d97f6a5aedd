package dev.outbox.benchmarks;

import dev.outbox.OutboxWriter;
import dev.outbox.relay.Purge;
import dev.outbox.relay.Relay;
import java.util.HashMap;
import java.util.Map;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The outbox as a service has it, in this JVM; its relay and its purge run only when they are told to. */
final class OursRelay implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    private OursRelay(ConfigurableApplicationContext context) {
        this.context = context;
        relay().stop();
        purge().stop();
    }

    /** Starts it with the defaults of every property, which makes the tables. */
    static OursRelay open(Servers servers, OutboxDatabase database) {
        return open(servers, database, Map.of());
    }

    /**
     * @param properties over the defaults
     * @param processors of its beans
     */
    static OursRelay open(
            Servers servers, OutboxDatabase database, Map<String, String> properties, BeanPostProcessor... processors) {
        Map<String, Object> all = new HashMap<>(properties(servers, database, "ours"));
        all.putAll(properties);
        return new OursRelay(new SpringApplicationBuilder(OursApplication.class)
                .web(WebApplicationType.NONE)
                .properties(all)
                .initializers(starting -> {
                    for (BeanPostProcessor processor : processors) {
                        starting.getBeanFactory().addBeanPostProcessor(processor);
                    }
                })
                .run());
    }

    /**
     * What every instance needs to know.
     *
     * @param name by which the database server knows it
     */
    static Map<String, String> properties(Servers servers, OutboxDatabase database, String name) {
        return Map.of(
                "spring.main.banner-mode",
                "off",
                "spring.application.name",
                "benchmark",
                "spring.datasource.url",
                database.url(name),
                "spring.datasource.username",
                database.user(),
                "spring.kafka.bootstrap-servers",
                servers.bootstrapServers(),
                "outbox.inbox.enabled",
                "false");
    }

    /** Publishes this many waiting records, and returns once the last one is marked. */
    void drain(int records) throws InterruptedException {
        Progress progress = new Progress(records);
        context.getBean(PublishedCount.class).tell(progress);
        relay().start();
        try {
            progress.await();
        } finally {
            relay().stop();
        }
    }

    Relay relay() {
        return context.getBean(Relay.class);
    }

    Purge purge() {
        return context.getBean(Purge.class);
    }

    OutboxWriter writer() {
        return context.getBean(OutboxWriter.class);
    }

    TransactionTemplate transaction() {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    JdbcClient jdbc() {
        return context.getBean(JdbcClient.class);
    }

    @Override
    public void close() {
        context.close();
    }
}
