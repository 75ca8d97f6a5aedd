package dev.outbox.inbox.kafka;

import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.springframework.beans.BeanUtils;
import org.springframework.util.ClassUtils;

/**
 * Applies a Kafka deserializer to the bytes of a payload, at the time the handler asks for it: in the poll, a record that
 * can't be read would stop its partition. Deserializers need not be thread-safe, so each thread has one while it works,
 * unless it is a bean.
 */
final class ValueDeserializer implements AutoCloseable {

    /** What keeps a deserializer from its schema registry. */
    private static final List<Class<? extends Throwable>> OUTAGES = List.of(
            SocketException.class, UnknownHostException.class, InterruptedIOException.class, RetriableException.class);

    private final Supplier<? extends Deserializer<?>> maker;
    private final boolean shared;
    private final ClassifierChain classifier;
    private final Queue<Deserializer<?>> idle = new ConcurrentLinkedQueue<>();

    private ValueDeserializer(Supplier<? extends Deserializer<?>> maker, boolean shared, ClassifierChain classifier) {
        this.maker = maker;
        this.shared = shared;
        this.classifier = classifier;
    }

    /** Uses a deserializer that is thread-safe, configured, and closed by somebody else. */
    static ValueDeserializer shared(Deserializer<?> deserializer, ClassifierChain classifier) {
        return new ValueDeserializer(() -> deserializer, true, classifier);
    }

    /**
     * Makes deserializers of a class, the first one at once.
     *
     * @param config what they are configured with
     * @throws RuntimeException if none can be made
     */
    static ValueDeserializer ofClass(String name, Map<String, ?> config, ClassifierChain classifier) {
        ValueDeserializer deserializer = new ValueDeserializer(() -> make(name, config), false, classifier);
        deserializer.idle.add(deserializer.maker.get());
        return deserializer;
    }

    private static Deserializer<?> make(String name, Map<String, ?> config) {
        Class<?> type = ClassUtils.resolveClassName(name, null);
        Deserializer<?> deserializer = (Deserializer<?>) BeanUtils.instantiateClass(type, Deserializer.class);
        deserializer.configure(config, false);
        return deserializer;
    }

    Object deserialize(ConsumerRecord<?, ?> record, byte[] payload, Class<?> target) {
        Deserializer<?> idling = idle.poll();
        Deserializer<?> deserializer = idling == null ? maker.get() : idling;
        Object value;
        try {
            // Some deserializers take headers away, and the record is read again later.
            value = deserializer.deserialize(record.topic(), new RecordHeaders(record.headers()), payload);
        } catch (RuntimeException e) {
            throw failure(deserializer, payload, e);
        } finally {
            if (!shared) {
                idle.add(deserializer);
            }
        }
        if (!target.isInstance(value)) {
            throw new UnusableRecordException(nameOf(deserializer) + " made "
                    + (value == null ? "null" : "a " + value.getClass().getName()) + " of the payload ("
                    + payload.length + " bytes), but the handler takes a " + target.getName());
        }
        return value;
    }

    /** Never the exception itself: it may quote the payload. */
    private RuntimeException failure(Deserializer<?> deserializer, byte[] payload, RuntimeException thrown) {
        String text = nameOf(deserializer) + " cannot read the payload (" + payload.length + " bytes): ";
        Throwable root = thrown;
        for (Throwable cause : CauseChain.of(thrown)) {
            root = cause;
            if (OUTAGES.stream().anyMatch(type -> type.isInstance(cause))) {
                return new DeserializerUnavailableException(
                        text + cause.getClass().getName());
            }
        }
        text += root.getClass().getName();
        return classifier.classify(thrown) == FailureKind.TRANSIENT
                ? new DeserializerUnavailableException(text)
                : new UnusableRecordException(text);
    }

    private static String nameOf(Deserializer<?> deserializer) {
        return "The deserializer " + deserializer.getClass().getName();
    }

    /** Closes what was made here. */
    @Override
    public void close() {
        for (Deserializer<?> deserializer = idle.poll(); deserializer != null; deserializer = idle.poll()) {
            deserializer.close();
        }
    }
}
