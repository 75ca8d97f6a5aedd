package dev.outbox.autoconfigure;

import dev.outbox.Ordering;
import dev.outbox.jdbc.ClaimMode;
import dev.outbox.jdbc.TableLayout;
import dev.outbox.kafka.EnvelopeMode;
import dev.outbox.postgresql.SchemaMode;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/** The properties of the outbox. Their defaults repeat those of the core, which a test compares. */
@ConfigurationProperties("outbox")
record OutboxProperties(
        @DefaultValue Schema schema,
        @DefaultValue Append append,
        @DefaultValue Relay relay,
        @DefaultValue Purge purge,
        @DefaultValue Health health,
        @DefaultValue Kafka kafka) {

    /**
     * Where the outbox tables are.
     *
     * @param mode What happens to the tables at start-up
     * @param name Database schema of the tables
     * @param tablePrefix What the name of every table begins with
     * @param layout How events and deliveries are laid out, chosen when the tables are made
     * @param partitionSize Events in one partition of the partitioned layout
     */
    record Schema(
            @DefaultValue("migrate") SchemaMode mode,
            @DefaultValue("public") String name,
            @DefaultValue("outbox_") String tablePrefix,
            @DefaultValue("plain") TableLayout layout,
            @DefaultValue("5000000") long partitionSize) {}

    /**
     * Appending events.
     *
     * @param enabled Whether the service appends events
     * @param maxPayloadSize Largest payload of an event; with headers and envelope it must fit the producer's largest
     *     request and the topics' max.message.bytes
     * @param guardOrder Whether two transactions that append to one aggregate are kept in order by an advisory lock that
     *     each holds to its end
     * @param applicationEvents Whether annotated records published through ApplicationEventPublisher are appended
     */
    record Append(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("750KB") DataSize maxPayloadSize,
            @DefaultValue("true") boolean guardOrder,
            @DefaultValue("true") boolean applicationEvents) {}

    /**
     * Publishing what was appended.
     *
     * @param enabled Whether this instance publishes events
     * @param workers Threads that publish; each needs one connection of the pool, and a second one for moments
     * @param claim What holds a lane: a row lock in an open transaction, or a lease
     * @param lease How long a lane is held without a sign of life of its holder; longer than outbox.kafka.max-block and
     *     outbox.kafka.delivery-timeout together
     * @param lanesPerClaim Most lanes, of 64, that a worker claims at once; fewer leave more to other instances
     * @param tenure How long a worker keeps its lanes while there is something to do, before others may have them
     * @param ordering How far the order of an aggregate is kept: strict, pipelined (broken by failures) or none
     * @param batch Bounds of one read
     * @param inFlight Bounds of what one worker has read and not yet written down
     * @param polling How often to look when nothing wakes the relay
     * @param retry What to do with records that fail
     * @param parked What follows from a record that is parked
     * @param shutdownTimeout How long a stop waits for acknowledgements; giving the lanes back may then take 5 s more
     * @param backlogInterval How often the backlog is counted for the gauges
     */
    record Relay(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("1") int workers,
            @DefaultValue("lock") ClaimMode claim,
            @DefaultValue("1m") Duration lease,
            @DefaultValue("16") int lanesPerClaim,
            @DefaultValue("2s") Duration tenure,
            @DefaultValue("strict") Ordering ordering,
            @DefaultValue Batch batch,
            @DefaultValue InFlight inFlight,
            @DefaultValue Polling polling,
            @DefaultValue Retry retry,
            @DefaultValue Parked parked,
            @DefaultValue("20s") Duration shutdownTimeout,
            @DefaultValue("5s") Duration backlogInterval) {}

    /**
     * When the health of the outbox is down. Its details tell the rest, and that it is up otherwise.
     *
     * @param maxOldestAge Age of the oldest event that waits to be published above which the outbox is down, as when the
     *     backlog is unknown for so long; never if not set
     * @param maxFailingTime Time for which all passes of a relay's worker have failed above which the outbox is down;
     *     never if not set
     */
    record Health(@Nullable Duration maxOldestAge, @Nullable Duration maxFailingTime) {}

    /**
     * Bounds of one read.
     *
     * @param size Most records
     * @param maxBytes Most payload bytes; a single larger record is read alone
     */
    record Batch(
            @DefaultValue("1000") int size,
            @DefaultValue("4MB") DataSize maxBytes) {}

    /**
     * Bounds of what one worker has read and not yet written down.
     *
     * @param records Most records
     * @param maxBytes Most payload bytes
     */
    record InFlight(
            @DefaultValue("5000") int records,
            @DefaultValue("16MB") DataSize maxBytes) {}

    /**
     * Where an aggregate goes on although one of its records is parked, which breaks its order. Everywhere else it waits.
     *
     * @param continueTopics Topics whose aggregates go on
     * @param continueEventTypes Event types whose aggregates go on
     */
    record Parked(
            @DefaultValue Set<String> continueTopics,
            @DefaultValue Set<String> continueEventTypes) {}

    /**
     * Looking for events without being woken.
     *
     * @param minInterval Shortest wait after finding nothing; it doubles from look to look
     * @param maxInterval Longest wait: how late events of another instance may be noticed
     */
    record Polling(
            @DefaultValue("50ms") Duration minInterval,
            @DefaultValue("1s") Duration maxInterval) {}

    /**
     * Retries of records that fail.
     *
     * @param maxAttempts Attempts after which a record is parked
     * @param initialDelay Limit of the random delay before the second attempt; it doubles
     * @param maxDelay Highest limit of the delay
     * @param unavailableDelay Delay after a record could not be sent because topic or broker were unavailable, unless
     *     they take records again before; it costs no attempt
     */
    record Retry(
            @DefaultValue("10") int maxAttempts,
            @DefaultValue("1s") Duration initialDelay,
            @DefaultValue("5m") Duration maxDelay,
            @DefaultValue("30s") Duration unavailableDelay) {}

    /**
     * Removing old records.
     *
     * @param enabled Whether this instance removes published and discarded records that are old
     * @param retention Age, counted from publishing, at which a record is removed; 0 removes it when it is published
     * @param period Wait between two rounds
     * @param batchSize Most records that one transaction removes
     */
    record Purge(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("7d") Duration retention,
            @DefaultValue("1m") Duration period,
            @DefaultValue("1000") int batchSize) {}

    /**
     * The outbox's own producer. Connection and security come from spring.kafka.
     *
     * @param deliveryTimeout Longest time from send to acknowledgement or failure
     * @param maxBlock Longest time that sending one record may block
     * @param requestTimeout Longest time to wait for one answer of the broker
     * @param linger How long to collect records into a request
     * @param compression Compression type
     * @param transactionIdPrefix Prefix of the transactional ids with which batches are published all or nothing; the same
     *     for all instances of a service and no other one's. Unset, nothing is published in Kafka transactions
     * @param properties Further settings by Kafka's names
     * @param envelope How records are laid out
     */
    record Kafka(
            @DefaultValue("30s") Duration deliveryTimeout,
            @DefaultValue("5s") Duration maxBlock,
            @DefaultValue("10s") Duration requestTimeout,
            @DefaultValue("0ms") Duration linger,
            @DefaultValue("zstd") String compression,
            @Nullable String transactionIdPrefix,
            @DefaultValue Map<String, String> properties,
            @DefaultValue Envelope envelope) {}

    /**
     * The CloudEvents envelope.
     *
     * @param mode Attributes as headers, or one JSON document
     * @param source Attribute that says which service tells the event; by default a slash and the application's name
     * @param dataSchema URI that names the payload's structure, with the placeholders {type} and {version}; empty for none
     */
    record Envelope(
            @DefaultValue("binary") EnvelopeMode mode,
            @Nullable String source,
            @DefaultValue("urn:event:{type}:v{version}") String dataSchema) {}
}
