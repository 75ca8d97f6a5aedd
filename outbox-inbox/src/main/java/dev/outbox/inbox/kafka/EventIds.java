package dev.outbox.inbox.kafka;

import com.fasterxml.uuid.Generators;
import dev.outbox.inbox.PermanentEventException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes event ids, which are UUIDs, of what producers write. Thread-safe. */
public final class EventIds {

    /** The namespace of namespaces. It never changes: derived ids would change with it. */
    private static final UUID ROOT = UUID.fromString("6f1bb0a4-6d0e-5b0c-9a53-2c1d4f7e8b90");

    private static final int TEXT_LENGTH = 36;

    private final @Nullable UUID namespace;

    private EventIds(@Nullable UUID namespace) {
        this.namespace = namespace;
    }

    /** Takes UUIDs as text and refuses anything else. */
    public static EventIds uuids() {
        return new EventIds(null);
    }

    /**
     * Takes UUIDs as text as they are, and derives a UUID from any other text (a ULID, a number, a natural key): the
     * name-based one (version 5) of the text in a namespace. The same text in the same namespace always gives the same
     * event id, so a consumer that reads from producers with equal ids needs a namespace for each of them.
     *
     * @param namespace any text, such as the name of the producer; another one makes every known event a new one
     * @throws IllegalArgumentException if the namespace is blank
     */
    public static EventIds derived(String namespace) {
        if (namespace.isBlank()) {
            throw new IllegalArgumentException(
                    "The namespace of event ids must not be blank; the producer's name is one");
        }
        return new EventIds(named(ROOT, namespace));
    }

    /**
     * @param text what the record says
     * @param place where it says so, for the error: {@code The header id}
     * @throws PermanentEventException if the text is no id; the message names the place and does not quote the text
     */
    public UUID read(String text, String place) {
        UUID id = uuid(text);
        if (id != null) {
            return id;
        }
        if (namespace != null && !text.isBlank()) {
            return named(namespace, text);
        }
        throw new UnusableRecordException(
                place + " (" + text.getBytes(StandardCharsets.UTF_8).length + " bytes) is not a UUID as text");
    }

    private static @Nullable UUID uuid(String text) {
        if (text.length() != TEXT_LENGTH) {
            return null;
        }
        try {
            UUID id = UUID.fromString(text);
            // UUID.fromString also takes groups of other lengths.
            return id.toString().equalsIgnoreCase(text) ? id : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static UUID named(UUID namespace, String name) {
        return Generators.nameBasedGenerator(namespace).generate(name);
    }
}
