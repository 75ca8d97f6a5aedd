package dev.outbox.inbox.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.AckMode;

/** What a container must be like for offsets never to overtake the database, however it was customized. */
final class ContainerContract {

    private ContainerContract() {}

    static void check(ConcurrentMessageListenerContainer<?, ?> container) {
        ContainerProperties properties = container.getContainerProperties();
        AckMode ackMode = properties.getAckMode();
        if (ackMode == AckMode.MANUAL || ackMode == AckMode.MANUAL_IMMEDIATE || properties.isAsyncAcks()) {
            throw refusal(container, "acknowledges manually; offsets are committed after the transaction");
        }
        if (!properties.isSyncCommits()) {
            throw refusal(container, "commits offsets asynchronously, whose failure nobody would see");
        }
        if (properties.getKafkaAwareTransactionManager() != null) {
            throw refusal(
                    container, "runs in Kafka transactions, whose rollback is handled elsewhere and skips records");
        }
        Object listener = properties.getMessageListener();
        boolean ofPolls = listener instanceof BatchListener || listener instanceof ParallelListener;
        if (ofPolls && ackMode != AckMode.BATCH) {
            throw refusal(container, "has AckMode " + ackMode + "; offsets are committed once for each poll");
        }
        if (!ofPolls && !(listener instanceof IdempotentRecordListener)) {
            throw refusal(container, "has another message listener, which the inbox does not see");
        }
        if (!(container.getCommonErrorHandler() instanceof FailedRecordHandler)) {
            throw refusal(container, "has another error handler, which could skip records");
        }
        Properties overrides = properties.getKafkaConsumerProperties();
        Map<String, String> settings = new HashMap<>();
        overrides.stringPropertyNames().forEach(name -> settings.put(name, overrides.getProperty(name)));
        ForcedConsumerSettings.apply(settings);
    }

    private static IllegalStateException refusal(ConcurrentMessageListenerContainer<?, ?> container, String reason) {
        return new IllegalStateException("The container of consumer '" + container.getListenerId() + "' " + reason
                + ". Change the customizer that sets this");
    }
}
