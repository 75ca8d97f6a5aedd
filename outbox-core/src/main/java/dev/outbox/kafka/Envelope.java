package dev.outbox.kafka;

import dev.outbox.Delivery;
import dev.outbox.EventType;
import dev.outbox.OutboxRecord;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.provider.EventFormatProvider;
import io.cloudevents.kafka.KafkaMessageFactory;
import io.cloudevents.rw.CloudEventWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ConcurrentLruCache;

/**
 * Makes Kafka records out of outbox records, as the Kafka protocol binding of CloudEvents 1.0 lays down.
 *
 * <p>The key is the aggregate's id. The timestamp is left to the producer, so it is the time of publishing: a topic's
 * retention counts from there. When the event was appended is its {@code time}.
 */
public final class Envelope {

    public static final String DEFAULT_DATA_SCHEMA = "urn:event:{type}:v{version}";

    private static final String STRUCTURED_FORMAT = "application/cloudevents+json";

    /** Types whose schema's URI is remembered: making one takes a fifth of the time that a record does. */
    private static final int KNOWN_TYPES = 1_000;

    private final EnvelopeMode mode;
    private final URI source;
    private final @Nullable ConcurrentLruCache<EventType, URI> dataSchemas;

    /**
     * @param mode the layout
     * @param source the CloudEvents {@code source}: which service tells this
     * @param dataSchema the URI of the attribute that names the structure, with the placeholders {@code {type}} and
     *     {@code {version}}; empty for none
     * @throws IllegalArgumentException if the data schema makes no URI, or the structured mode lacks its JSON format
     */
    public Envelope(EnvelopeMode mode, URI source, String dataSchema) {
        this.mode = mode;
        this.source = source;
        this.dataSchemas = dataSchema.isEmpty()
                ? null
                : new ConcurrentLruCache<>(KNOWN_TYPES, type -> dataSchemaUri(dataSchema, type));
        if (dataSchemas != null) {
            dataSchemas.get(new EventType("type", 1));
        }
        if (mode == EnvelopeMode.STRUCTURED
                && EventFormatProvider.getInstance().resolveFormat(STRUCTURED_FORMAT) == null) {
            throw new IllegalArgumentException(
                    "The structured envelope needs io.cloudevents:cloudevents-json-jackson on"
                            + " the class path; add it, or use the binary envelope");
        }
    }

    /** How events are laid out. */
    public EnvelopeMode mode() {
        return mode;
    }

    ProducerRecord<byte[], byte[]> wrap(Delivery delivery) {
        OutboxRecord event = delivery.event();
        byte[] key = event.aggregate().id().getBytes(StandardCharsets.UTF_8);
        var writer = KafkaMessageFactory.createWriter(event.topic(), key);
        ProducerRecord<byte[], byte[]> record = write(writer, cloudEvent(delivery));
        event.headers().forEach((name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        return record;
    }

    private ProducerRecord<byte[], byte[]> write(
            io.cloudevents.core.message.MessageWriter<
                            ? extends CloudEventWriter<ProducerRecord<byte[], byte[]>>, ProducerRecord<byte[], byte[]>>
                    writer,
            CloudEvent event) {
        return mode == EnvelopeMode.BINARY
                ? writer.writeBinary(event)
                : writer.writeStructured(event, STRUCTURED_FORMAT);
    }

    private CloudEvent cloudEvent(Delivery delivery) {
        OutboxRecord event = delivery.event();
        CloudEventBuilder builder = CloudEventBuilder.v1()
                .withId(event.eventId().toString())
                .withSource(source)
                .withType(event.type().name())
                .withSubject(event.aggregate().id())
                .withTime(delivery.createdAt().atOffset(ZoneOffset.UTC))
                .withDataContentType(event.payload().contentType())
                .withData(event.payload().bytes())
                .withExtension("aggregatetype", event.aggregate().type())
                .withExtension("schemaversion", event.type().schemaVersion());
        Long version = event.aggregate().version();
        if (version != null) {
            builder.withExtension("aggregateversion", version.toString());
        }
        if (dataSchemas != null) {
            builder.withDataSchema(dataSchemas.get(event.type()));
        }
        return builder.build();
    }

    private static URI dataSchemaUri(String template, EventType type) {
        return URI.create(template.replace("{type}", URLEncoder.encode(type.name(), StandardCharsets.UTF_8))
                .replace("{version}", Integer.toString(type.schemaVersion())));
    }
}
