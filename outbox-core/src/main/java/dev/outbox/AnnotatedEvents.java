package dev.outbox;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Reads events from records annotated with {@link OutboxEvent}; what it finds out of a class it keeps. */
final class AnnotatedEvents {

    private final ConcurrentHashMap<Class<?>, Shape> shapes = new ConcurrentHashMap<>();

    Event read(Object source) {
        Shape shape = shapes.computeIfAbsent(source.getClass(), AnnotatedEvents::shape);
        Event.Builder event = Event.builder()
                .type(shape.event.type())
                .schemaVersion(shape.event.schemaVersion())
                .topic(shape.event.topic())
                .aggregate(shape.aggregateType, String.valueOf(shape.value(shape.id, source)))
                .payload(source);
        if (shape.version != null) {
            event.aggregateVersion(((Number) shape.value(shape.version, source)).longValue());
        }
        return event.build();
    }

    private static Shape shape(Class<?> type) {
        OutboxEvent event = type.getAnnotation(OutboxEvent.class);
        if (event == null || !type.isRecord()) {
            throw new InvalidEventException("event: " + type.getName() + " is neither a dev.outbox.Event nor a record"
                    + " annotated with @OutboxEvent");
        }
        Method id = accessor(type, AggregateId.class);
        if (id == null) {
            throw new InvalidEventException(
                    "aggregateId: no component of " + type.getName() + " is annotated with @AggregateId");
        }
        Method version = accessor(type, AggregateVersion.class);
        if (version != null
                && !List.of(int.class, long.class, Integer.class, Long.class).contains(version.getReturnType())) {
            throw new InvalidEventException("aggregateVersion: component " + version.getName() + " of " + type.getName()
                    + " must be an int or a long");
        }
        return new Shape(event, aggregateType(event), id, version);
    }

    private static String aggregateType(OutboxEvent event) {
        if (!event.aggregateType().isEmpty()) {
            return event.aggregateType();
        }
        int dot = event.type().lastIndexOf('.');
        return dot > 0 ? event.type().substring(0, dot) : event.type();
    }

    private static @Nullable Method accessor(Class<?> type, Class<? extends Annotation> annotation) {
        List<Method> accessors = Arrays.stream(type.getRecordComponents())
                .filter(component -> component.isAnnotationPresent(annotation))
                .map(RecordComponent::getAccessor)
                .toList();
        if (accessors.size() > 1) {
            throw new InvalidEventException("Several components of " + type.getName() + " are annotated with @"
                    + annotation.getSimpleName() + "; one is allowed");
        }
        accessors.forEach(accessor -> accessor.setAccessible(true));
        return accessors.isEmpty() ? null : accessors.get(0);
    }

    private record Shape(
            OutboxEvent event,
            String aggregateType,
            Method id,
            @Nullable Method version) {

        private Object value(Method accessor, Object source) {
            try {
                Object value = accessor.invoke(source);
                if (value == null) {
                    throw new InvalidEventException(accessor.getName() + ": null in "
                            + source.getClass().getName());
                }
                return value;
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new InvalidEventException(
                        accessor.getName() + " of " + source.getClass().getName() + " can't be read", e);
            }
        }
    }
}
