package dev.outbox.autoconfigure;

import dev.outbox.AggregateId;
import dev.outbox.AggregateVersion;
import dev.outbox.OutboxEvent;
import dev.outbox.OutboxWriter;
import dev.outbox.testkit.KafkaBroker;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/** A service that has the starter and nothing else. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(StarterApplication.Orders.class)
class StarterApplication {

    static final String TOPIC = "starter.orders";

    /** A fact of the test's service. */
    @OutboxEvent(type = "order.confirmed", topic = TOPIC)
    record OrderConfirmed(
            @AggregateId UUID orderId, @AggregateVersion long version, long amountCents) {}

    /** Starts the service on a database of its own and the shared broker. */
    static ConfigurableApplicationContext start(TestDatabase database, Class<?> more, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "spring.datasource.url=" + database.jdbcUrl(),
                "spring.datasource.username=" + database.user(),
                "spring.datasource.password=" + database.password(),
                "spring.kafka.bootstrap-servers=" + KafkaBroker.shared().bootstrapServers(),
                "spring.application.name=starter-test",
                "spring.jpa.open-in-view=false",
                "spring.flyway.enabled=false",
                "outbox.relay.polling.max-interval=50ms"));
        all.addAll(List.of(properties));
        return new SpringApplicationBuilder(StarterApplication.class, more)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .properties(all.toArray(String[]::new))
                .run();
    }

    static ConfigurableApplicationContext start(String... properties) {
        return start(PostgresServer.shared().createDatabase(), Orders.class, properties);
    }

    /** Appends in every way that an application has. */
    static class Orders {

        private final ObjectProvider<OutboxWriter> outbox;
        private final ApplicationEventPublisher events;

        Orders(ObjectProvider<OutboxWriter> outbox, ApplicationEventPublisher events) {
            this.outbox = outbox;
            this.events = events;
        }

        @Transactional
        public UUID append(Object event) {
            return outbox.getObject().append(event);
        }

        @Transactional
        public void publish(Object event) {
            events.publishEvent(event);
        }

        @Transactional
        public void publishAndFail(Object event) {
            events.publishEvent(event);
            throw new IllegalStateException("rolled back");
        }

        public void publishWithoutTransaction(Object event) {
            events.publishEvent(event);
        }
    }

    static List<String> tables(ConfigurableApplicationContext context) {
        return context.getBean(JdbcClient.class)
                .sql("SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
                        + " ORDER BY relname")
                .query(String.class)
                .list();
    }
}
