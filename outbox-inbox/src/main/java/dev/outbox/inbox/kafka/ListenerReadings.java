package dev.outbox.inbox.kafka;

import dev.outbox.inbox.IdempotentListener;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import tools.jackson.databind.json.JsonMapper;

/** Works out how each listener reads its records, and closes what was made for that. Thread-safe. */
final class ListenerReadings implements AutoCloseable {

    private final Extraction extraction;
    private final JsonMapper jsonMapper;
    private final String valueDeserializer;
    private final ClassifierChain classifier;
    private final Map<Object, ListenerReading> readings = new ConcurrentHashMap<>();
    private final Collection<ValueDeserializer> made = new ArrayList<>();

    /**
     * @param valueDeserializer of listeners that name none; empty for none
     */
    ListenerReadings(
            Extraction extraction, JsonMapper jsonMapper, String valueDeserializer, ClassifierChain classifier) {
        this.extraction = extraction;
        this.jsonMapper = jsonMapper;
        this.valueDeserializer = valueDeserializer;
        this.classifier = classifier;
    }

    /**
     * Returns how a listener reads its records, the same on each call.
     *
     * @param consumerConfig what the consumers of all listeners are configured with
     * @throws IllegalStateException if the listener names something that isn't there
     */
    ListenerReading of(
            MethodKafkaListenerEndpoint<?, ?> listener, @Nullable BeanFactory beans, Map<String, ?> consumerConfig) {
        return readings.computeIfAbsent(listener, unknown -> read(listener, beans, consumerConfig));
    }

    private ListenerReading read(
            MethodKafkaListenerEndpoint<?, ?> listener, @Nullable BeanFactory beans, Map<String, ?> consumerConfig) {
        Method method = ListenerAnnotation.method(listener);
        List<EventExtractor> extractors = new ArrayList<>();
        String extractor = attribute(method, IdempotentListener::extractor, beans);
        if (extractor.isEmpty()) {
            extractors.addAll(extraction.own);
        } else {
            extractors.add(bean(method, beans, extractor, EventExtractor.class));
        }
        extractors.addAll(extraction.builtIn);
        EventReader reader =
                new EventReader(extractors, PayloadArgumentResolver.takesTombstones(method), extraction.idHeader);
        String deserializer = attribute(method, IdempotentListener::valueDeserializer, beans);
        return new ListenerReading(
                reader,
                new PayloadConverter(
                        jsonMapper,
                        deserializer(
                                method,
                                beans,
                                deserializer.isEmpty() ? valueDeserializer : deserializer,
                                merged(consumerConfig, listener.getConsumerProperties()))));
    }

    private @Nullable ValueDeserializer deserializer(
            Method method, @Nullable BeanFactory beans, String name, Map<String, ?> config) {
        if (name.isEmpty()) {
            return null;
        }
        if (beans != null && beans.containsBean(name)) {
            return ValueDeserializer.shared(bean(method, beans, name, Deserializer.class), classifier);
        }
        try {
            ValueDeserializer deserializer = ValueDeserializer.ofClass(name, config, classifier);
            synchronized (made) {
                made.add(deserializer);
            }
            return deserializer;
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    ListenerContract.nameOf(method) + " has the value deserializer '" + name
                            + "', which is neither a bean nor the class of a Deserializer that can be made: " + e,
                    e);
        }
    }

    private static <T> T bean(Method method, @Nullable BeanFactory beans, String name, Class<T> type) {
        if (beans == null || !beans.containsBean(name) || !beans.isTypeMatch(name, type)) {
            throw new IllegalStateException(ListenerContract.nameOf(method) + " names the " + type.getSimpleName()
                    + " '" + name + "', but there is no bean of that type and name");
        }
        return beans.getBean(name, type);
    }

    private static String attribute(
            Method method, Function<IdempotentListener, String> attribute, @Nullable BeanFactory beans) {
        IdempotentListener annotation = ListenerAnnotation.find(method);
        String text = annotation == null ? "" : attribute.apply(annotation);
        return text.isEmpty() ? text : ListenerOptions.resolve(text, beans);
    }

    private static Map<String, Object> merged(Map<String, ?> config, @Nullable Properties own) {
        Map<String, Object> merged = new HashMap<>(config);
        if (own != null) {
            own.stringPropertyNames().forEach(name -> merged.put(name, own.getProperty(name)));
        }
        return merged;
    }

    @Override
    public void close() {
        synchronized (made) {
            made.forEach(ValueDeserializer::close);
        }
    }

    /**
     * How records are told apart.
     *
     * @param own the application's extractors, for listeners that name none
     * @param builtIn those that are asked last
     * @param idHeader where an id is usually found
     */
    record Extraction(List<EventExtractor> own, List<EventExtractor> builtIn, String idHeader) {}
}
