package dev.outbox.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.outbox.Event;
import dev.outbox.OutboxWriter;
import dev.outbox.PublishFailureClassifier;
import dev.outbox.TransactionalPublisher;
import dev.outbox.autoconfigure.StarterApplication.OrderConfirmed;
import dev.outbox.autoconfigure.StarterApplication.Orders;
import dev.outbox.inbox.DeadLetterFilter;
import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxOperations;
import dev.outbox.kafka.KafkaEventPublisher;
import dev.outbox.postgresql.TransactionRequiredException;
import dev.outbox.relay.Purge;
import dev.outbox.relay.Relay;
import dev.outbox.testkit.KafkaBroker;
import dev.outbox.testkit.KafkaProcess;
import dev.outbox.testkit.PostgresServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micrometer.tracing.Tracer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.core.KafkaTemplate;

class StarterIT {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final KafkaBroker kafka = KafkaBroker.shared();

    @Test
    void anAppendedEventReachesAnIdempotentListener() throws Exception {
        String topic = kafka.createTopic("orders", 3);
        try (var service = StarterApplication.start(
                PostgresServer.shared().createDatabase(), Billing.class, "test.topic=" + topic)) {
            UUID order = UUID.randomUUID();
            UUID id =
                    service.getBean(Orders.class).append(confirmed(topic, order).build());

            Billing billing = service.getBean(Billing.class);
            Billing.Received received = billing.received.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(received).isNotNull();
            assertThat(received.event).isEqualTo(new Confirmed(order, 1999));
            assertThat(received.metadata.eventId()).isEqualTo(id);
            assertThat(received.metadata.type()).isEqualTo("order.confirmed");
            assertThat(received.metadata.aggregateVersion()).isEqualTo(3);
            assertThat(received.metadata.schemaVersion()).isEqualTo(2);
            await().atMost(LIMIT)
                    .until(() -> service.getBean(JdbcClient.class)
                                    .sql(
                                            "SELECT count(*) FROM inbox_processed WHERE consumer = 'billing' AND event_id = ?")
                                    .param(id)
                                    .query(Integer.class)
                                    .single()
                            == 1);
            MeterRegistry meters = service.getBean(MeterRegistry.class);
            await().atMost(LIMIT)
                    .until(() -> meters.get("outbox.published").counter().count() == 1);
            assertThat(meters.get("outbox.appended").counter().count()).isEqualTo(1);
            assertThat(meters.get("outbox.backlog").gauge().value()).isNotNegative();
            await().atMost(LIMIT)
                    .until(() -> meters.get("outbox.inbox.processed").counter().count() == 1);
            assertThat(service.getBean(InboxOperations.class)
                            .previewRedrive(DeadLetterFilter.ALL)
                            .count())
                    .isZero();
            await().atMost(LIMIT)
                    .ignoreException(MeterNotFoundException.class)
                    .until(() -> meters.get("outbox.inbox.dead.letters").gauge().value() == 0);
        }
    }

    @Test
    void anAnnotatedRecordPublishedAsApplicationEventBelongsToItsTransaction() {
        try (var service = StarterApplication.start("outbox.relay.enabled=false")) {
            Orders orders = service.getBean(Orders.class);
            orders.publish(new OrderConfirmed(UUID.randomUUID(), 1, 5));
            assertThatThrownBy(() -> orders.publishAndFail(new OrderConfirmed(UUID.randomUUID(), 1, 5)))
                    .hasMessage("rolled back");
            assertThatThrownBy(() -> orders.publishWithoutTransaction(new OrderConfirmed(UUID.randomUUID(), 1, 5)))
                    .isInstanceOf(TransactionRequiredException.class);
            orders.publish("an event of the application's own");

            assertThat(rows(service, "aggregate_type = 'order' AND aggregate_version = 1"))
                    .isEqualTo(1);
            assertThat(rows(service, "true")).isEqualTo(1);
        }
    }

    @Test
    void storesTheTraceContextOfTheCallerAndPublishesIt() {
        String topic = kafka.createTopic("orders", 1);
        try (var service = StarterApplication.start("management.tracing.sampling.probability=1.0")) {
            Tracer tracer = service.getBean(Tracer.class);
            var span = tracer.nextSpan().start();
            try (var ignored = tracer.withSpan(span)) {
                service.getBean(Orders.class)
                        .append(confirmed(topic, UUID.randomUUID()).build());
            } finally {
                span.end();
            }
            ConsumerRecord<byte[], byte[]> record =
                    kafka.awaitRecords(topic, 1, LIMIT).get(0);
            String traceparent =
                    new String(record.headers().lastHeader("traceparent").value(), StandardCharsets.UTF_8);
            assertThat(traceparent).contains(span.context().traceId());
        }
    }

    @Test
    void aServiceMayOnlyWrite() {
        try (var service = StarterApplication.start("outbox.relay.enabled=false", "outbox.inbox.enabled=false")) {
            assertThat(service.getBeansOfType(Relay.class)).isEmpty();
            assertThat(service.getBeansOfType(Inbox.class)).isEmpty();
            assertThat(StarterApplication.tables(service))
                    .containsExactly(
                            "outbox_audit",
                            "outbox_delivery",
                            "outbox_event",
                            "outbox_lane",
                            "outbox_lane_request",
                            "outbox_pause",
                            "outbox_schema_history");
            service.getBean(Orders.class).append(new OrderConfirmed(UUID.randomUUID(), 1, 5));
            assertThat(rows(service, "true")).isEqualTo(1);
        }
    }

    @Test
    void aServiceMayOnlyRelay() {
        String topic = kafka.createTopic("orders", 1);
        var database = PostgresServer.shared().createDatabase();
        try (var writer = StarterApplication.start(database, Orders.class, "outbox.relay.enabled=false")) {
            writer.getBean(Orders.class)
                    .append(confirmed(topic, UUID.randomUUID()).build());
        }
        try (var relay = StarterApplication.start(
                database, Orders.class, "outbox.append.enabled=false", "outbox.inbox.enabled=false")) {
            assertThat(relay.getBeansOfType(OutboxWriter.class)).isEmpty();
            assertThat(relay.getBeansOfType(TransactionalPublisher.class)).isEmpty();
            assertThat(kafka.awaitRecords(topic, 1, LIMIT)).hasSize(1);
        }
    }

    @Test
    void theApplicationClassifiesFailuresAndAPrefixGivesATransactionalPublisher() {
        String topic = kafka.createTopic("orders", 1, Map.of("max.message.bytes", "100"));
        try (var service = StarterApplication.start(
                PostgresServer.shared().createDatabase(),
                Classifying.class,
                "outbox.kafka.transaction-id-prefix=orders",
                "outbox.relay.retry.max-attempts=1")) {
            assertThat(service.getBeansOfType(TransactionalPublisher.class)).hasSize(1);
            service.getBean(Orders.class)
                    .append(confirmed(topic, UUID.randomUUID()).build());
            Classifying classifying = service.getBean(Classifying.class);
            await().atMost(LIMIT).until(() -> classifying.seen.contains(topic));
        }
    }

    @Test
    void whatIsOldIsRemovedAndCountedUnlessSomebodyElseDoesIt() {
        String topic = kafka.createTopic("orders", 1);
        var database = PostgresServer.shared().createDatabase();
        try (var service = StarterApplication.start(
                database, Orders.class, "outbox.purge.period=100ms", "outbox.purge.retention=1ms")) {
            service.getBean(Orders.class)
                    .append(confirmed(topic, UUID.randomUUID()).build());
            await().atMost(LIMIT).until(() -> rows(service, "true") == 0);
            await().atMost(LIMIT)
                    .until(() -> service.getBean(MeterRegistry.class)
                                    .get("outbox.purged")
                                    .counter()
                                    .count()
                            == 1);
        }
        try (var service = StarterApplication.start(database, Orders.class, "outbox.purge.enabled=false")) {
            assertThat(service.getBeansOfType(Purge.class)).isEmpty();
        }
    }

    @Test
    void aServiceMayOnlyConsume() {
        String topic = kafka.createTopic("orders", 1);
        try (var service = StarterApplication.start(
                PostgresServer.shared().createDatabase(),
                Billing.class,
                "test.topic=" + topic,
                "outbox.append.enabled=false",
                "outbox.relay.enabled=false")) {
            assertThat(service.getBeansOfType(Relay.class)).isEmpty();
            assertThat(service.getBeansOfType(Purge.class)).isEmpty();
            assertThat(StarterApplication.tables(service))
                    .containsExactly(
                            "inbox_aggregate_version",
                            "inbox_audit",
                            "inbox_consumer",
                            "inbox_dead_letter",
                            "inbox_early_event",
                            "inbox_processed",
                            "inbox_schema_history");
        }
    }

    @Test
    void livesBesideTheApplicationsOwnMigrationsFromAnEmptyDatabaseOn() {
        var database = PostgresServer.shared().createDatabase();
        String[] properties = {
            "spring.flyway.enabled=true",
            "spring.flyway.locations=classpath:application-migration",
            "spring.flyway.validate-on-migrate=true",
            "outbox.relay.enabled=false"
        };
        for (int start = 1; start <= 2; start++) {
            try (var service = StarterApplication.start(database, Orders.class, properties)) {
                assertThat(StarterApplication.tables(service))
                        .contains("flyway_schema_history", "application_order", "outbox_event", "inbox_processed");
                assertThat(service.getBean(JdbcClient.class)
                                .sql("SELECT version FROM flyway_schema_history ORDER BY installed_rank")
                                .query(String.class)
                                .list())
                        .containsExactly("1", "2");
            }
        }
    }

    @Test
    void startsWhileKafkaIsDownAndPublishesWhenItComes() throws Exception {
        try (KafkaProcess broker = KafkaProcess.start()) {
            String topic = broker.createTopic("orders", 1);
            broker.kill();
            try (var service = StarterApplication.start(
                    PostgresServer.shared().createDatabase(),
                    Billing.class,
                    "test.topic=" + topic,
                    "spring.kafka.bootstrap-servers=" + broker.bootstrapServers())) {
                UUID id = service.getBean(Orders.class)
                        .append(confirmed(topic, UUID.randomUUID()).build());
                await().atMost(LIMIT)
                        .until(() -> service.getBean(MeterRegistry.class)
                                        .get("outbox.backlog")
                                        .gauge()
                                        .value()
                                == 1);
                broker.restart();
                Billing.Received received =
                        service.getBean(Billing.class).received.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertThat(received).isNotNull();
                assertThat(received.metadata.eventId()).isEqualTo(id);
            }
        }
    }

    @Test
    void leavesTheApplicationsOwnKafkaBeansAlone() {
        try (var service = StarterApplication.start(
                "outbox.relay.enabled=false", "spring.kafka.producer.acks=1", "spring.kafka.consumer.group-id=own")) {
            KafkaTemplate<?, ?> template = service.getBean(KafkaTemplate.class);
            assertThat(template.getProducerFactory()
                            .getConfigurationProperties()
                            .get("acks"))
                    .isEqualTo("1");
            assertThat(service.containsBean("kafkaListenerContainerFactory")).isTrue();
        }
    }

    @Test
    void refusesToAppendInATransactionThatIsOnlyKafkas() {
        String topic = kafka.createTopic("orders", 1);
        try (var service = StarterApplication.start(
                "spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure"
                        + ".DataSourceTransactionManagerAutoConfiguration,org.springframework.boot.hibernate.autoconfigure"
                        + ".HibernateJpaAutoConfiguration,org.springframework.boot.data.jpa.autoconfigure"
                        + ".DataJpaRepositoriesAutoConfiguration",
                "spring.kafka.producer.transaction-id-prefix=tx-",
                "outbox.inbox.enabled=false",
                "outbox.relay.enabled=false")) {
            Orders orders = service.getBean(Orders.class);
            Event event = confirmed(topic, UUID.randomUUID()).build();
            assertThatThrownBy(() -> orders.append(event))
                    .isInstanceOf(TransactionRequiredException.class)
                    .hasMessageContaining("DataSource");
            assertThat(rows(service, "true")).isZero();
        }
    }

    @Test
    void whatAHandlerAppendsCommitsWithItsEffectAndTheInboxOrNotAtAll() {
        String topic = kafka.createTopic("orders", 1);
        String invoices = kafka.createTopic("invoices", 1);
        try (var service = StarterApplication.start(
                PostgresServer.shared().createDatabase(),
                Invoicing.class,
                "test.topic=" + topic,
                "test.invoices=" + invoices,
                "management.tracing.sampling.probability=1.0",
                "outbox.inbox.event-id-header=message",
                "outbox.inbox.event-id-namespace=shop",
                "outbox.inbox.attribute-headers.type=kind",
                "outbox.inbox.aggregate-id-in-key=true",
                "outbox.inbox.retry.transient-exceptions=java.util.NoSuchElementException",
                "outbox.inbox.retry.max-attempts=1",
                "outbox.inbox.retry.initial-delay=50ms")) {
            Invoicing invoicing = service.getBean(Invoicing.class);
            send(service, topic, Map.of("message", "42", "kind", "order.confirmed"));
            await().atMost(LIMIT).until(() -> invoicing.failures.get() > 0);
            assertThat(Invoicing.committed(service)).isEqualTo("0 0 0");
            invoicing.failing = false;

            ConsumerRecord<byte[], byte[]> invoice =
                    kafka.awaitRecords(invoices, 1, LIMIT).get(0);
            assertThat(new String(invoice.value(), StandardCharsets.UTF_8)).isEqualTo("\"order.confirmed o-1\"");
            assertThat(Invoicing.committed(service)).isEqualTo("1 1 1");
            assertThat(kafka.records(invoices)).hasSize(1);
        }
    }

    @Test
    void anExceptionThatIsListedButNotThereStopsTheStart() {
        assertThatThrownBy(() -> StarterApplication.start("outbox.inbox.retry.permanent-exceptions=com.example.Gone"))
                .hasStackTraceContaining("outbox.inbox.retry.permanent-exceptions names com.example.Gone");
    }

    @SuppressWarnings("unchecked") // Of Spring Boot's template, whose serializers take text.
    private static void send(ConfigurableApplicationContext service, String topic, Map<String, String> headers) {
        ProducerRecord<String, String> record = new ProducerRecord<>(topic, "o-1", "{}");
        headers.forEach((name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        ((KafkaTemplate<String, String>) service.getBean(KafkaTemplate.class))
                .send(record)
                .join();
    }

    private static Event.Builder confirmed(String topic, UUID order) {
        return Event.builder()
                .topic(topic)
                .type("order.confirmed")
                .schemaVersion(2)
                .aggregate("order", order.toString())
                .aggregateVersion(3)
                .payload(new Confirmed(order, 1999));
    }

    private static long rows(ConfigurableApplicationContext service, String condition) {
        return service.getBean(JdbcClient.class)
                .sql("SELECT count(*) FROM outbox_event WHERE " + condition)
                .query(Long.class)
                .single();
    }

    record Confirmed(UUID orderId, long amountCents) {}

    /** Looks at failures before the default classifier does. */
    static class Classifying {

        private final Set<String> seen = ConcurrentHashMap.newKeySet();

        @Bean
        PublishFailureClassifier classifier() {
            return (event, cause) -> {
                seen.add(event.topic());
                return KafkaEventPublisher.defaultClassifier().classify(event, cause);
            };
        }
    }

    /** Consumes what the service itself has published. */
    static class Billing {

        record Received(Confirmed event, EventMetadata metadata) {}

        final BlockingQueue<Received> received = new LinkedBlockingQueue<>();

        @IdempotentListener(topics = "${test.topic}", consumer = "billing")
        void on(Confirmed event, EventMetadata metadata) {
            received.add(new Received(event, metadata));
        }
    }

    /** Consumes, writes and produces, without a transaction of its own. */
    static class Invoicing {

        private final AtomicInteger failures = new AtomicInteger();
        private final OutboxWriter outbox;
        private final JdbcClient jdbc;
        private final String topic;
        private volatile boolean failing = true;

        Invoicing(OutboxWriter outbox, JdbcClient jdbc, @Value("${test.invoices}") String topic) {
            this.outbox = outbox;
            this.jdbc = jdbc;
            this.topic = topic;
            jdbc.sql("CREATE TABLE invoice (order_id text NOT NULL)").update();
        }

        @IdempotentListener(topics = "${test.topic}", consumer = "invoicing")
        void on(EventMetadata order) {
            jdbc.sql("INSERT INTO invoice VALUES (?)")
                    .param(order.aggregateId())
                    .update();
            outbox.append(Event.builder()
                    .topic(topic)
                    .type("invoice.made")
                    .aggregate("invoice", Objects.requireNonNull(order.aggregateId()))
                    .payload(order.type() + " " + order.aggregateId())
                    .build());
            if (failing) {
                failures.incrementAndGet();
                throw new NoSuchElementException("not yet");
            }
        }

        /** Returns how many effects, inbox rows and outbox rows are committed. */
        private static String committed(ConfigurableApplicationContext service) {
            return service.getBean(JdbcClient.class)
                    .sql("SELECT concat_ws(' ', (SELECT count(*) FROM invoice), (SELECT count(*) FROM inbox_processed),"
                            + " (SELECT count(*) FROM outbox_event))")
                    .query(String.class)
                    .single();
        }
    }
}
