package dev.outbox.example;

import static org.awaitility.Awaitility.await;

import dev.outbox.testkit.KafkaBroker;
import dev.outbox.testkit.PostgresServer;
import dev.outbox.testkit.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The service on real servers; its subclasses share one of it. */
@SpringBootTest(
        classes = {OrdersApplication.class, RunningService.Topics.class},
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = "logging.level.org.apache.kafka=warn")
public abstract class RunningService {

    protected static final String TOPIC = "orders.v1";
    protected static final Duration PATIENCE = Duration.ofSeconds(20);

    @LocalServerPort
    private int port;

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry properties) {
        TestDatabase database = PostgresServer.shared().createDatabase();
        properties.add("spring.datasource.url", database::jdbcUrl);
        properties.add("spring.datasource.username", database::user);
        properties.add("spring.datasource.password", database::password);
        properties.add("spring.kafka.bootstrap-servers", KafkaBroker.shared()::bootstrapServers);
    }

    protected OrdersClient orders() {
        return new OrdersClient(port);
    }

    protected OrdersClient.IssuedInvoice awaitInvoice(UUID order) {
        return await("an invoice for order " + order)
                .atMost(PATIENCE)
                .until(() -> orders().invoices(order), invoices -> !invoices.isEmpty())
                .get(0);
    }

    /** Waits until an order that is confirmed now has its invoice: whatever was on its way before it is there too. */
    protected void awaitEverythingBefore() {
        awaitInvoice(orders().placeAndConfirm());
    }

    protected static List<ConsumerRecord<byte[], byte[]>> recordsOf(UUID order) {
        return KafkaBroker.shared().records(TOPIC).stream()
                .filter(record -> new String(record.key(), StandardCharsets.UTF_8).equals(order.toString()))
                .toList();
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Topics {

        // One partition, so that a later invoice proves that everything before it was handled.
        @Bean
        KafkaAdmin.NewTopics topics() {
            return new KafkaAdmin.NewTopics(
                    TopicBuilder.name(TOPIC).partitions(1).build());
        }
    }
}
