package dev.outbox.inbox;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * What becomes of records that cannot be processed. They are kept in the database; a copy on a topic is published on
 * demand.
 *
 * @param retention time, by the database's clock, after which a dead letter that was redriven or discarded is deleted; at
 *     least 1 second
 * @param topicEnabled whether each dead letter is also copied to the dead-letter topic of its topic, before its offset
 * @param topicSuffix what is added to the record's topic, 1 to 100 legal characters of a topic name. Topics that end with
 *     it are never matched by a topic pattern
 * @param maxRequestBytes largest copy that the producer accepts, uncompressed; at least 1 MiB. The topic's own
 *     {@code max.message.bytes} limits it too, and should be larger than the source's
 * @param maxBlock longest wait for the topic's metadata, at least 1 ms
 * @param deliveryTimeout longest wait for the broker's acknowledgement, at least 1 second. Both waits hold up the
 *     partitions of the consumer and a transaction, so their sum stays well under {@code max.poll.interval.ms}
 */
public record DeadLetterSettings(
        Duration retention,
        boolean topicEnabled,
        String topicSuffix,
        int maxRequestBytes,
        Duration maxBlock,
        Duration deliveryTimeout) {

    /** Time after which a decided dead letter is deleted. */
    public static final Duration DEFAULT_RETENTION = Duration.ofDays(90);

    /** What is added to the record's topic. */
    public static final String DEFAULT_TOPIC_SUFFIX = "-dlt";

    /** Largest copy that the producer accepts: 32 MiB. */
    public static final int DEFAULT_MAX_REQUEST_BYTES = 32 * 1024 * 1024;

    /** Longest wait for the topic's metadata. */
    public static final Duration DEFAULT_MAX_BLOCK = Duration.ofSeconds(5);

    /** Longest wait for the broker's acknowledgement. */
    public static final Duration DEFAULT_DELIVERY_TIMEOUT = Duration.ofSeconds(30);

    private static final Pattern SUFFIX = Pattern.compile("[a-zA-Z0-9._-]{1,100}");
    private static final int MIN_REQUEST_BYTES = 1024 * 1024;
    private static final int MAX_REQUEST_BYTES = 1024 * 1024 * 1024;

    /**
     * @throws IllegalArgumentException if a value is out of its range
     */
    public DeadLetterSettings {
        if (retention.toSeconds() < 1) {
            throw new IllegalArgumentException(
                    "The retention of decided dead letters must be at least 1 second, not " + retention);
        }
        if (!SUFFIX.matcher(topicSuffix).matches()) {
            throw new IllegalArgumentException("The suffix of dead-letter topics must match " + SUFFIX.pattern()
                    + ", which \"" + topicSuffix + "\" does not");
        }
        if (maxRequestBytes < MIN_REQUEST_BYTES || maxRequestBytes > MAX_REQUEST_BYTES) {
            throw new IllegalArgumentException("The largest dead letter must be between " + MIN_REQUEST_BYTES + " and "
                    + MAX_REQUEST_BYTES + " bytes, not " + maxRequestBytes);
        }
        if (maxBlock.toMillis() < 1) {
            throw new IllegalArgumentException("The wait for metadata must be at least 1 ms, not " + maxBlock);
        }
        if (deliveryTimeout.toSeconds() < 1 || deliveryTimeout.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "The wait for the acknowledgement must be between 1 second and 24 days, not " + deliveryTimeout);
        }
    }

    /** Returns the default of each setting: no topic. */
    public static DeadLetterSettings defaults() {
        return new DeadLetterSettings(
                DEFAULT_RETENTION,
                false,
                DEFAULT_TOPIC_SUFFIX,
                DEFAULT_MAX_REQUEST_BYTES,
                DEFAULT_MAX_BLOCK,
                DEFAULT_DELIVERY_TIMEOUT);
    }

    /** Returns the name of the dead-letter topic of a topic. */
    public String topicFor(String topic) {
        return topic + topicSuffix;
    }
}
