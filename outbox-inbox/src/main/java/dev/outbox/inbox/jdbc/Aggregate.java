package dev.outbox.inbox.jdbc;

import dev.outbox.inbox.ConsumerName;
import dev.outbox.inbox.EventMetadata;
import dev.outbox.inbox.PermanentEventException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An aggregate as one consumer knows it. */
record Aggregate(ConsumerName consumer, String type, String id) {

    /** Of type and id together, in UTF-8, with room for the consumer: an index entry takes 2,704 bytes. */
    static final int MAX_BYTES = 2_000;

    /**
     * Reads which aggregate an event is about.
     *
     * @throws PermanentEventException if the event does not say it, or the database cannot store it
     */
    static Aggregate of(ConsumerName consumer, EventMetadata event) {
        String type = storable("aggregatetype", event.aggregateType());
        String id = storable("subject", event.aggregateId());
        int bytes = type.getBytes(StandardCharsets.UTF_8).length + id.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new PermanentEventException("The attributes aggregatetype and subject of the event have " + bytes
                    + " bytes together; the versions of aggregates are remembered up to " + MAX_BYTES);
        }
        return new Aggregate(consumer, type, id);
    }

    /**
     * Reads which version of it an event brings.
     *
     * @throws PermanentEventException if the event does not say it
     */
    static long versionOf(EventMetadata event) {
        Long version = event.aggregateVersion();
        if (version == null) {
            throw event.attributes().containsKey("aggregateversion")
                    ? new PermanentEventException("The attribute aggregateversion of the event is not a whole number of"
                            + " 64 bits, and the consumer goes by versions")
                    : missing("aggregateversion");
        }
        return version;
    }

    /** Cleaning the text instead could make two aggregates one. */
    private static String storable(String attribute, @Nullable String text) {
        if (text == null) {
            throw missing(attribute);
        }
        boolean refused = text.codePoints()
                .anyMatch(character -> character == 0 || Character.getType(character) == Character.SURROGATE);
        if (refused) {
            throw new PermanentEventException(
                    "The attribute " + attribute + " of the event contains U+0000 or half of a"
                            + " surrogate pair, which PostgreSQL stores in no text");
        }
        return text;
    }

    private static PermanentEventException missing(String attribute) {
        return new PermanentEventException("The event has no attribute " + attribute
                + ", and the consumer goes by the versions of aggregates (versions of @IdempotentListener)");
    }

    /** Says which one it is, in words that fit into a log line. */
    @Override
    public String toString() {
        return type + " " + id;
    }
}
