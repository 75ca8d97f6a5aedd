package dev.outbox.autoconfigure;

import dev.outbox.inbox.OutsideWindow;
import dev.outbox.inbox.RetentionCheck;
import dev.outbox.inbox.VersionTimeout;
import dev.outbox.inbox.jdbc.TableLayout;
import dev.outbox.postgresql.SchemaMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties of the inbox. Their defaults repeat those of the inbox, which a test compares.
 *
 * @param enabled Whether the service consumes with idempotent listeners
 * @param eventIdHeader Record header that carries the event id, a UUID as text
 * @param renamedGroups Former Kafka group of each consumer whose group was renamed on purpose, by the consumer's name
 * @param eventIdPointer JSON pointer to the event id in the record's value, for records without the header
 * @param eventIdNamespace Namespace in which event ids are derived from texts that are no UUIDs; without it, such records
 *     are dead-lettered
 * @param attributeHeaders Record headers by the attribute that is taken from them, such as type, subject, aggregatetype or
 *     aggregateversion
 * @param aggregateIdInKey Whether the record's key is the aggregate's id
 * @param valueDeserializer Class or bean name of the Kafka deserializer of payloads; without it, they are text or JSON
 * @param transactionManager Bean name of the transaction manager of handlers; needed only where several could be meant
 */
@ConfigurationProperties("outbox.inbox")
record InboxProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("ce_id") String eventIdHeader,
        @Nullable String eventIdPointer,
        @Nullable String eventIdNamespace,
        @DefaultValue Map<String, String> attributeHeaders,
        @DefaultValue("false") boolean aggregateIdInKey,
        @Nullable String valueDeserializer,
        @Nullable String transactionManager,
        @DefaultValue Map<String, String> renamedGroups,
        @DefaultValue Schema schema,
        @DefaultValue Retry retry,
        @DefaultValue DeadLetter deadLetter,
        @DefaultValue Purge purge,
        @DefaultValue Versions versions,
        @DefaultValue Window window,
        @DefaultValue Kafka kafka) {

    /**
     * Where the inbox tables are.
     *
     * @param mode What happens to the tables at start-up
     * @param name Database schema of the tables
     * @param tablePrefix What the name of every table begins with
     * @param layout How processed events are laid out, chosen when the tables are made
     * @param partitionPeriod Time in one partition of the partitioned layout, in full minutes
     */
    record Schema(
            @DefaultValue("migrate") SchemaMode mode,
            @DefaultValue("public") String name,
            @DefaultValue("inbox_") String tablePrefix,
            @DefaultValue("plain") TableLayout layout,
            @DefaultValue("1d") Duration partitionPeriod) {}

    /**
     * Retries of records whose processing failed. Failures that the database's state causes are not counted.
     *
     * @param maxAttempts Attempts after which a record is dead-lettered
     * @param initialDelay Delay before the first retry; it doubles, spread at random
     * @param maxDelay Longest delay
     * @param transientExceptions Class names of exceptions that are retried until they cease
     * @param permanentExceptions Class names of exceptions whose records are dead-lettered at once
     */
    record Retry(
            @DefaultValue("10") int maxAttempts,
            @DefaultValue("500ms") Duration initialDelay,
            @DefaultValue("30s") Duration maxDelay,
            @DefaultValue List<String> transientExceptions,
            @DefaultValue List<String> permanentExceptions) {}

    /**
     * Records that can't be processed.
     *
     * @param retention Time after which a dead letter that was redriven or discarded is deleted
     */
    record DeadLetter(
            @DefaultValue("90d") Duration retention,
            @DefaultValue DeadLetterTopic topic) {}

    /**
     * Copies of dead letters on topics.
     *
     * @param enabled Whether each dead letter is also copied to the dead-letter topic of its topic
     * @param suffix What is added to the record's topic
     * @param maxRequestSize Largest copy that is sent; the topic's max.message.bytes should be larger than the source's
     * @param maxBlock Longest wait for the topic's metadata
     * @param deliveryTimeout Longest wait for the broker's acknowledgement
     */
    record DeadLetterTopic(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("-dlt") String suffix,
            @DefaultValue("32MB") DataSize maxRequestSize,
            @DefaultValue("5s") Duration maxBlock,
            @DefaultValue("30s") Duration deliveryTimeout) {}

    /**
     * Forgetting processed events.
     *
     * @param retention Age at which a processed event is forgotten; it should outlast the topics' retention and the
     *     longest time until a redrive
     * @param period Wait between two purges
     * @param batchSize Most rows that one transaction deletes
     */
    record Purge(
            @DefaultValue("8d") Duration retention,
            @DefaultValue("1m") Duration period,
            @DefaultValue("1000") int batchSize) {}

    /**
     * Early events of listeners with strict versions.
     *
     * @param maxEarlyPerAggregate Most early events that are kept of one aggregate; one more is dead-lettered
     * @param maxEarlyPerConsumer Most early events that are kept for one consumer; one more is dead-lettered
     * @param timeout How long an early event waits for a missing version
     * @param onTimeout What becomes of it then
     * @param period Wait between two looks at early events
     */
    record Versions(
            @DefaultValue("1000") int maxEarlyPerAggregate,
            @DefaultValue("10000") int maxEarlyPerConsumer,
            @DefaultValue("1h") Duration timeout,
            @DefaultValue("dead-letter") VersionTimeout onTimeout,
            @DefaultValue("5s") Duration period) {}

    /**
     * Records that are older than what the inbox remembers.
     *
     * @param outside What is done with an event that the inbox may have forgotten, unless its listener says otherwise
     * @param check What is done about topics that keep records for longer than the inbox remembers them
     * @param longestRedrive Longest time after which a record may be processed once more; the retention should be at
     *     least that of the topic and this
     */
    record Window(
            @DefaultValue("process") OutsideWindow outside,
            @DefaultValue("warn") RetentionCheck check,
            @DefaultValue("1d") Duration longestRedrive) {}

    /**
     * The consumers of idempotent listeners. They take over spring.kafka.consumer.
     *
     * @param properties Settings by Kafka's names that overrule spring.kafka.consumer
     * @param groupInstanceId Name of this instance, unique and the same after a restart, that makes its consumers static
     *     members of their groups; the consumer's name and the number of its thread are appended
     */
    record Kafka(
            @DefaultValue Map<String, String> properties,
            @Nullable String groupInstanceId) {}
}
