package dev.outbox.autoconfigure;

import dev.outbox.AppendLimits;
import dev.outbox.DeliveryStore;
import dev.outbox.EventPublisher;
import dev.outbox.OutboxListener;
import dev.outbox.OutboxListeners;
import dev.outbox.PublishFailureClassifier;
import dev.outbox.TransactionalPublisher;
import dev.outbox.jdbc.AwaitedDeliveryStore;
import dev.outbox.jdbc.ClaimMode;
import dev.outbox.jdbc.JdbcDeliveryStore;
import dev.outbox.jdbc.StoreSettings;
import dev.outbox.kafka.Envelope;
import dev.outbox.kafka.KafkaEventPublisher;
import dev.outbox.kafka.KafkaTransactionalPublisher;
import dev.outbox.kafka.ProducerSettings;
import dev.outbox.postgresql.TableNames;
import dev.outbox.relay.BacklogSampler;
import dev.outbox.relay.Relay;
import dev.outbox.relay.RelaySettings;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/** Auto-configuration of the relay that publishes what was appended. */
@AutoConfiguration(after = {OutboxAutoConfiguration.class, KafkaAutoConfiguration.class})
@ConditionalOnBean({ModuleDataSource.class, KafkaConnectionDetails.class})
@ConditionalOnBooleanProperty(name = "outbox.relay.enabled", matchIfMissing = true)
public final class OutboxRelayAutoConfiguration {

    private final OutboxProperties properties;

    OutboxRelayAutoConfiguration(OutboxProperties properties) {
        this.properties = properties;
    }

    @Bean
    @ConditionalOnMissingBean(EventPublisher.class)
    KafkaEventPublisher outboxEventPublisher(
            KafkaProperties kafka,
            KafkaConnectionDetails details,
            Environment environment,
            ObjectProvider<PublishFailureClassifier> classifier,
            RelayWakeUp wakeUp) {
        OutboxProperties.Kafka own = properties.kafka();
        Envelope envelope = InvalidOutboxPropertyException.settings(
                "outbox.kafka.envelope",
                () -> new Envelope(
                        own.envelope().mode(),
                        source(environment),
                        own.envelope().dataSchema()));
        Map<String, Object> settings =
                ProducerSettings.enforce(configured(new KafkaConnection(kafka, details).forProducer()));
        InvalidOutboxPropertyException.settings("outbox.append", () -> {
            int payload = OutboxAutoConfiguration.limits(properties).maxPayloadSize();
            ProducerSettings.checkSize(settings, payload, AppendLimits.MAX_HEADERS_SIZE, envelope.mode());
            return payload;
        });
        return new KafkaEventPublisher(
                settings, envelope, classifier.getIfAvailable(KafkaEventPublisher::defaultClassifier), wakeUp);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(KafkaEventPublisher.class)
    @ConditionalOnProperty("outbox.kafka.transaction-id-prefix")
    TransactionalPublisher outboxTransactionalPublisher(KafkaEventPublisher publisher) {
        String prefix = Objects.requireNonNull(properties.kafka().transactionIdPrefix());
        return InvalidOutboxPropertyException.settings(
                "outbox.kafka", () -> new KafkaTransactionalPublisher(publisher, prefix));
    }

    @Bean
    @ConditionalOnMissingBean
    DeliveryStore outboxDeliveryStore(
            ModuleDataSource moduleDataSource,
            TableNames outboxTableNames,
            EventPublisher publisher,
            ObjectProvider<TransactionalPublisher> transactions,
            SchemaInitializer outboxSchemaInitializer) {
        OutboxProperties.Relay relay = properties.relay();
        TransactionalPublisher transactional = transactions.getIfAvailable();
        long publishTimeout = transactional == null ? publisher.publishTimeout() : transactional.publishTimeout();
        StoreSettings settings = InvalidOutboxPropertyException.settings(
                "outbox.relay",
                () -> new StoreSettings(
                        relay.claim(),
                        Duration.ofMillis(publishTimeout),
                        relay.lease(),
                        relay.ordering(),
                        properties.purge().enabled()
                                && properties.purge().retention().isZero()));
        if (relay.claim() == ClaimMode.LOCK) {
            HikariPool.requireForLocks(moduleDataSource.dataSource(), relay.workers());
        }
        return new AwaitedDeliveryStore(
                new JdbcDeliveryStore(moduleDataSource.dataSource(), outboxTableNames, settings),
                outboxSchemaInitializer.preparation());
    }

    @Bean
    @ConditionalOnMissingBean
    Relay outboxRelay(
            DeliveryStore store,
            EventPublisher publisher,
            ObjectProvider<TransactionalPublisher> transactions,
            ObjectProvider<OutboxListener> listeners,
            RelayWakeUp wakeUp,
            Environment environment) {
        Relay relay = new Relay(
                store,
                publisher,
                transactions.getIfAvailable(),
                settings(),
                new OutboxListeners(listeners.orderedStream().toList()),
                threads(environment));
        wakeUp.connect(relay);
        return relay;
    }

    @Bean
    @ConditionalOnMissingBean
    BacklogSampler outboxBacklogSampler(DeliveryStore store) {
        return new BacklogSampler(store::backlog, properties.relay().backlogInterval());
    }

    private static ThreadFactory threads(Environment environment) {
        return Threading.VIRTUAL.isActive(environment)
                ? new VirtualThreadTaskExecutor().getVirtualThreadFactory()
                : Relay::daemon;
    }

    private RelaySettings settings() {
        OutboxProperties.Relay relay = properties.relay();
        return InvalidOutboxPropertyException.settings(
                "outbox.relay",
                () -> new RelaySettings(
                        new RelaySettings.Claims(relay.workers(), relay.lanesPerClaim(), relay.tenure()),
                        new RelaySettings.Flow(
                                relay.ordering(),
                                relay.batch().size(),
                                relay.batch().maxBytes().toBytes(),
                                relay.inFlight().records(),
                                relay.inFlight().maxBytes().toBytes()),
                        new RelaySettings.Polling(
                                relay.polling().minInterval(), relay.polling().maxInterval()),
                        new RelaySettings.Retry(
                                relay.retry().maxAttempts(),
                                relay.retry().initialDelay(),
                                relay.retry().maxDelay(),
                                relay.retry().unavailableDelay()),
                        new RelaySettings.Parking(
                                relay.parked().continueTopics(), relay.parked().continueEventTypes()),
                        relay.shutdownTimeout()));
    }

    private Map<String, Object> configured(Map<String, Object> connection) {
        OutboxProperties.Kafka own = properties.kafka();
        Map<String, Object> settings = new HashMap<>(connection);
        settings.put(
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                Math.toIntExact(own.deliveryTimeout().toMillis()));
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, own.maxBlock().toMillis());
        settings.put(
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                Math.toIntExact(own.requestTimeout().toMillis()));
        settings.put(ProducerConfig.LINGER_MS_CONFIG, own.linger().toMillis());
        settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, own.compression());
        settings.putAll(own.properties());
        return settings;
    }

    private URI source(Environment environment) {
        String configured = properties.kafka().envelope().source();
        return URI.create(
                configured != null
                        ? configured
                        : "/" + environment.getProperty("spring.application.name", "application"));
    }
}
