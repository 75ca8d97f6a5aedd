package dev.outbox;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An event to append, built by hand; the annotated form is {@link OutboxEvent}. */
public final class Event {

    private final Builder parts;

    private Event(Builder parts) {
        this.parts = new Builder(parts);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The given id, or {@code null} when the writer shall make one. */
    public @Nullable UUID id() {
        return parts.id;
    }

    public Aggregate aggregate() {
        return new Aggregate(
                required("aggregateType", parts.aggregateType),
                required("aggregateId", parts.aggregateId),
                parts.aggregateVersion);
    }

    public String topic() {
        return required("topic", parts.topic);
    }

    public EventType type() {
        return new EventType(required("type", parts.type), parts.schemaVersion);
    }

    public Object payload() {
        return required("payload", parts.payload);
    }

    public Map<String, String> headers() {
        return Map.copyOf(parts.headers);
    }

    private static <T> T required(String field, @Nullable T value) {
        if (value == null) {
            throw new InvalidEventException(field + ": missing");
        }
        return value;
    }

    /** Collects the parts of an {@link Event}. Not thread-safe. */
    public static final class Builder {

        private @Nullable UUID id;
        private @Nullable String aggregateType;
        private @Nullable String aggregateId;
        private @Nullable Long aggregateVersion;
        private @Nullable String topic;
        private @Nullable String type;
        private int schemaVersion = 1;
        private @Nullable Object payload;
        private final Map<String, String> headers = new LinkedHashMap<>();

        private Builder() {}

        private Builder(Builder other) {
            id = other.id;
            aggregateType = other.aggregateType;
            aggregateId = other.aggregateId;
            aggregateVersion = other.aggregateVersion;
            topic = other.topic;
            type = other.type;
            schemaVersion = other.schemaVersion;
            payload = other.payload;
            headers.putAll(other.headers);
        }

        /** The event's id; a time-ordered UUID (version 7) unless given. */
        public Builder id(UUID id) {
            this.id = id;
            return this;
        }

        /** The aggregate's type and id; the id is the Kafka key. Required. */
        public Builder aggregate(String type, String id) {
            this.aggregateType = type;
            this.aggregateId = id;
            return this;
        }

        /** The aggregate's version after the event. */
        public Builder aggregateVersion(long version) {
            this.aggregateVersion = version;
            return this;
        }

        /** The Kafka topic. Required. */
        public Builder topic(String topic) {
            this.topic = topic;
            return this;
        }

        /** The fact's name in the past tense, {@code order.confirmed}. Required. */
        public Builder type(String type) {
            this.type = type;
            return this;
        }

        /** The version of the payload's structure; 1 unless given. */
        public Builder schemaVersion(int schemaVersion) {
            this.schemaVersion = schemaVersion;
            return this;
        }

        /** An object that a {@link PayloadSerializer} encodes, by default as JSON, or a {@link Payload}. Required. */
        public Builder payload(Object payload) {
            this.payload = payload;
            return this;
        }

        /** Bytes that are stored and published as they are. */
        public Builder payload(byte[] bytes, String contentType) {
            this.payload = Payload.of(contentType, bytes);
            return this;
        }

        /** A Kafka header. Names beginning with {@code ce_} and {@code content-type} belong to the envelope. */
        public Builder header(String name, String value) {
            headers.put(required("header name", name), required("header '" + name + "'", value));
            return this;
        }

        /**
         * Makes the event.
         *
         * @throws InvalidEventException if a required part is missing
         */
        public Event build() {
            Event event = new Event(this);
            event.aggregate();
            event.topic();
            event.type();
            event.payload();
            return event;
        }
    }
}
