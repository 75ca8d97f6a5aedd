package dev.outbox.inbox.kafka;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.DeadLetters;
import dev.outbox.inbox.InboxListener;
import dev.outbox.inbox.InboxSettings;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ListenerContainerPauseService;
import org.springframework.kafka.support.ProducerListener;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** What the failures of all listeners share: the producer of copies of dead letters and the clock of retries. */
final class FailureHandling implements AutoCloseable {

    private final InboxSettings settings;
    private final DeadLetters deadLetters;
    private final InboxListener listener;
    private final ClassifierChain classifier;
    private final DefaultKafkaProducerFactory<byte[], byte[]> producers;
    private final KafkaTemplate<byte[], byte[]> kafka;
    private final ThreadPoolTaskScheduler resumes = new ThreadPoolTaskScheduler();

    FailureHandling(
            Map<String, ?> producerConfig,
            InboxSettings settings,
            DeadLetters deadLetters,
            ClassifierChain classifier,
            InboxListener listener) {
        this.settings = settings;
        this.deadLetters = deadLetters;
        this.classifier = classifier;
        this.listener = listener;
        this.producers = new DefaultKafkaProducerFactory<>(
                DeadLetterProducerSettings.apply(producerConfig, settings.deadLetters()));
        this.kafka = new KafkaTemplate<>(producers);
        // The default one logs payloads.
        this.kafka.setProducerListener(new ProducerListener<>() {});
        this.resumes.setDaemon(true);
        this.resumes.setThreadNamePrefix("inbox-retry-");
        this.resumes.initialize();
    }

    /** Returns what is done about the failures of one consumer. */
    RecordFailures failuresOf(ConsumerName consumer, String group, EventReader reader) {
        return new RecordFailures(
                consumer,
                new FailedRecords(settings.retry(), classifier),
                new DeadLetterTable(consumer, deadLetters, reader, copies(group)),
                new ListenerContainerPauseService(null, resumes),
                reader,
                listener);
    }

    private @Nullable DeadLetterTopic copies(String group) {
        return settings.deadLetters().topicEnabled() ? new DeadLetterTopic(kafka, settings.deadLetters(), group) : null;
    }

    @Override
    public void close() {
        resumes.shutdown();
        producers.destroy();
    }
}
