package dev.outbox.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The settings of the outbox's own producer: what the guarantees rest on is not open to configuration. */
public final class ProducerSettings {

    /** Longest time from send to acknowledgement or failure. */
    public static final Duration DEFAULT_DELIVERY_TIMEOUT = Duration.ofSeconds(30);

    /** Longest time that sending one record may block for metadata or buffer space. */
    public static final Duration DEFAULT_MAX_BLOCK = Duration.ofSeconds(5);

    /** Longest time to wait for one answer of the broker. */
    public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(10);

    /** How long to collect records into a request; records that are ready together travel together anyway. */
    public static final Duration DEFAULT_LINGER = Duration.ZERO;

    public static final String DEFAULT_COMPRESSION = "zstd";

    /** After it the broker aborts a transaction whose producer is silent; until then consumers may be held up. */
    public static final Duration DEFAULT_TRANSACTION_TIMEOUT = Duration.ofSeconds(60);

    /** Room that the envelope's attributes take besides payload and headers, in bytes. */
    private static final int ENVELOPE_SIZE = 8 * 1024;

    private ProducerSettings() {}

    /**
     * Completes a producer configuration.
     *
     * @param configured by Kafka's names: at least {@code bootstrap.servers}; what is missing gets the defaults above
     * @throws WeakProducerSettingException if a setting contradicts a guarantee
     */
    public static Map<String, Object> enforce(Map<String, Object> configured) {
        Map<String, Object> settings = new HashMap<>(configured);
        require(
                settings,
                ProducerConfig.ACKS_CONFIG,
                "all",
                "-1",
                "an event counts as published only when every in-sync replica has it");
        require(
                settings,
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                "true",
                "true",
                "without it the client's own retries can reorder and repeat records");
        refuse(
                settings,
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                "the relay ends no transaction that it did not begin, so consumers would never see its records; for"
                        + " transactions set outbox.kafka.transaction-id-prefix");
        refuseZero(settings, ProducerConfig.RETRIES_CONFIG);
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) DEFAULT_DELIVERY_TIMEOUT.toMillis());
        settings.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, DEFAULT_MAX_BLOCK.toMillis());
        settings.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) DEFAULT_REQUEST_TIMEOUT.toMillis());
        settings.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, DEFAULT_LINGER.toMillis());
        settings.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, DEFAULT_COMPRESSION);
        return settings;
    }

    /**
     * Checks that whatever append lets through fits the producer's largest request.
     *
     * @param enforced from {@link #enforce}
     * @param maxPayloadSize of append, in bytes
     * @param maxHeadersSize of append, in bytes
     * @param envelope binary payloads grow by a third in the structured one
     * @throws IllegalArgumentException naming both properties
     */
    public static void checkSize(
            Map<String, Object> enforced, int maxPayloadSize, int maxHeadersSize, EnvelopeMode envelope) {
        int requestSize = new ProducerConfig(enforced).getInt(ProducerConfig.MAX_REQUEST_SIZE_CONFIG);
        long payload = envelope == EnvelopeMode.STRUCTURED ? (maxPayloadSize + 2L) / 3 * 4 : maxPayloadSize;
        long needed = payload + maxHeadersSize + ENVELOPE_SIZE;
        if (needed > requestSize) {
            throw new IllegalArgumentException("outbox.append.max-payload-size is " + maxPayloadSize
                    + " bytes, which with headers and envelope makes records of up to " + needed
                    + " bytes, but the producer's max.request.size is " + requestSize
                    + " bytes. Lower the first, or raise the second together with the topics' max.message.bytes");
        }
    }

    /** The longest time from send to the end of one record, in milliseconds. */
    static long publishTimeout(Map<String, Object> enforced) {
        ProducerConfig config = new ProducerConfig(enforced);
        return config.getLong(ProducerConfig.MAX_BLOCK_MS_CONFIG)
                + config.getInt(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG);
    }

    static long maxBlock(Map<String, Object> enforced) {
        return new ProducerConfig(enforced).getLong(ProducerConfig.MAX_BLOCK_MS_CONFIG);
    }

    /** The same settings for the transactional producer of some lanes. */
    static Map<String, Object> transactional(Map<String, Object> enforced, String prefix, String lanes) {
        Map<String, Object> settings = new HashMap<>(enforced);
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, prefix + "-" + lanes);
        settings.putIfAbsent(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) DEFAULT_TRANSACTION_TIMEOUT.toMillis());
        settings.computeIfPresent(ProducerConfig.CLIENT_ID_CONFIG, (name, id) -> id + "-" + lanes);
        return settings;
    }

    private static void require(
            Map<String, Object> settings, String name, String value, String synonym, String because) {
        Object configured = settings.putIfAbsent(name, value);
        if (configured != null && !value.equals(configured.toString()) && !synonym.equals(configured.toString())) {
            throw new WeakProducerSettingException(
                    name, "The producer setting " + name + "=" + configured + " must be " + value + ": " + because);
        }
    }

    private static void refuse(Map<String, Object> settings, String name, String because) {
        if (settings.get(name) != null) {
            throw new WeakProducerSettingException(
                    name, "The producer setting " + name + " must not be set: " + because);
        }
    }

    private static void refuseZero(Map<String, Object> settings, String name) {
        Object configured = settings.get(name);
        if (configured != null && "0".equals(configured.toString())) {
            throw new WeakProducerSettingException(
                    name,
                    "The producer setting " + name + "=0 must be positive: a lost connection would cost an attempt of"
                            + " every record under way");
        }
    }
}
