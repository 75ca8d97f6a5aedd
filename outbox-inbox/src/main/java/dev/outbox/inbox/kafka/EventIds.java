package dev.outbox.inbox.kafka;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Reads the event id from a record's header. */
final class EventIds {

    private static final int TEXT_LENGTH = 36;

    private final String header;

    EventIds(String header) {
        this.header = header;
    }

    /** Returns the id, or refuses the record. */
    UUID require(ConsumerRecord<?, ?> record) {
        Header value = record.headers().lastHeader(header);
        if (value == null || value.value() == null) {
            throw new UnusableRecordException("The record has no header " + header + " with an event id");
        }
        UUID id = parse(value.value());
        if (id == null) {
            throw new UnusableRecordException(
                    "The header " + header + " (" + value.value().length + " bytes) is not a UUID as text");
        }
        return id;
    }

    /** Returns the id if there is a usable one. */
    @Nullable
    UUID find(ConsumerRecord<?, ?> record) {
        Header value = record.headers().lastHeader(header);
        return value == null || value.value() == null ? null : parse(value.value());
    }

    private static @Nullable UUID parse(byte[] bytes) {
        if (bytes.length != TEXT_LENGTH) {
            return null;
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            UUID id = UUID.fromString(text);
            // UUID.fromString also takes groups of other lengths.
            return id.toString().equalsIgnoreCase(text) ? id : null;
        } catch (CharacterCodingException | IllegalArgumentException e) {
            return null;
        }
    }
}
