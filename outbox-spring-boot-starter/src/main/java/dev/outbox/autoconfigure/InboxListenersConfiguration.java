package dev.outbox.autoconfigure;

import dev.outbox.inbox.Admissions;
import dev.outbox.inbox.ConsumerRegistry;
import dev.outbox.inbox.DeadLetters;
import dev.outbox.inbox.IdempotentListener;
import dev.outbox.inbox.Inbox;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.InboxSettings;
import dev.outbox.inbox.LocalConsumers;
import dev.outbox.inbox.jdbc.DatabaseClock;
import dev.outbox.inbox.jdbc.JdbcConsumerRegistry;
import dev.outbox.inbox.kafka.AmbiguousListenerGuard;
import dev.outbox.inbox.kafka.EventExtractor;
import dev.outbox.inbox.kafka.FailureClassifier;
import dev.outbox.inbox.kafka.IdempotentListenerContainerFactory;
import dev.outbox.inbox.kafka.ListenerNames;
import dev.outbox.inbox.kafka.TopicRetentionCheck;
import dev.outbox.postgresql.TransactionPhase;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.validation.Validator;
import tools.jackson.databind.json.JsonMapper;

/** What makes {@link IdempotentListener} work: the container factory, and what watches over names and topics. */
@Configuration(proxyBeanMethods = false)
class InboxListenersConfiguration {

    private final InboxProperties properties;

    InboxListenersConfiguration(InboxProperties properties) {
        this.properties = properties;
    }

    /** No candidate where a host asks for a container factory by its type. */
    @Bean(name = IdempotentListener.CONTAINER_FACTORY, defaultCandidate = false)
    @ConditionalOnMissingBean(name = IdempotentListener.CONTAINER_FACTORY)
    @ConditionalOnBean(KafkaConnectionDetails.class)
    IdempotentListenerContainerFactory idempotentListenerContainerFactory(
            Inbox inbox,
            DeadLetters deadLetters,
            LocalConsumers localConsumers,
            ConsumerRegistry registry,
            InboxSettings settings,
            InboxKafkaSettings kafka,
            ModuleDataSource moduleDataSource,
            TransactionPhase phase,
            ObjectProvider<Admissions> admissions,
            ObjectProvider<JsonMapper> mapper,
            ObjectProvider<Validator> validator,
            ObjectProvider<EventExtractor> extractors,
            ObjectProvider<FailureClassifier> classifiers,
            ObjectProvider<InboxListener> listeners,
            Environment environment) {
        IdempotentListenerContainerFactory.Builder factory = IdempotentListenerContainerFactory.builder(
                        inbox, deadLetters)
                .localConsumers(localConsumers)
                .consumers(registry)
                .settings(settings)
                .databaseClock(new DatabaseClock(moduleDataSource.dataSource(), phase))
                .consumerConfig(kafka.consumer())
                .producerConfig(kafka.producer())
                .admissions(admissions.orderedStream().toList())
                .jsonMapper(mapper.getIfAvailable(JsonMapper::shared))
                .validator(validator.getIfUnique())
                .extractors(extractors.orderedStream().toList())
                .builtInExtractors(InboxReading.extractors(properties))
                .valueDeserializer(Objects.requireNonNullElse(properties.valueDeserializer(), ""))
                .classifiers(
                        Stream.concat(classifiers.orderedStream(), Stream.of(InboxReading.listed(properties.retry())))
                                .toList())
                .listeners(listeners.orderedStream().toList());
        if (Threading.VIRTUAL.isActive(environment)) {
            factory.workerThreads(new VirtualThreadTaskExecutor("inbox-worker-").getVirtualThreadFactory());
        }
        return factory.build();
    }

    @Bean
    @ConditionalOnMissingBean
    ConsumerRegistry inboxConsumerRegistry(
            InboxSettings settings,
            ModuleDataSource moduleDataSource,
            Environment environment,
            SchemaInitializer inboxSchemaInitializer) {
        return new JdbcConsumerRegistry(
                moduleDataSource.dataSource(),
                settings.tables(),
                settings.purge().retention(),
                environment.getProperty("spring.application.name", "application"),
                properties.renamedGroups());
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(KafkaConnectionDetails.class)
    TopicRetentionCheck inboxTopicRetentionCheck(
            @Qualifier(IdempotentListener.CONTAINER_FACTORY) IdempotentListenerContainerFactory factory,
            InboxSettings settings,
            InboxKafkaSettings kafka) {
        return new TopicRetentionCheck(factory, settings, kafka.producer());
    }

    /* Static, because spring-kafka's post-processor fetches it early. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ListenerNames outboxListenerNames() {
        return new ListenerNames();
    }

    /* Static, because spring-kafka's post-processor fetches it early. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AmbiguousListenerGuard outboxAmbiguousListenerGuard() {
        return new AmbiguousListenerGuard();
    }

    @Bean
    @ConditionalOnBean(KafkaConnectionDetails.class)
    InboxKafkaSettings inboxKafkaSettings(
            KafkaProperties kafka, KafkaConnectionDetails details, Environment environment) {
        return InboxKafkaSettings.of(new KafkaConnection(kafka, details), kafka, environment, properties.kafka());
    }
}
